import JSONValues

extension AnswerType {
    /// The most items of one drag.
    package static let maximumDragItems = 64

    /// The effect of a drop (UIKit's `UIDropOperation`).
    enum DropOperation: String, CaseIterable {
        case cancel
        case forbidden
        case copy
        case move
    }

    /// The destination of a drop (UIKit's `UITableViewDropProposal.Intent`). A collection has no `automatic`.
    enum DropIntent: String, CaseIterable {
        case unspecified
        case insertAtDestinationIndexPath
        case insertIntoDestinationIndexPath
        case automatic
    }
}

extension JSONNode {
    /// Checks a list of drag items.
    func checkDragItems(_ faults: inout FaultList) {
        guard kind == .array else { return faults.append(self, expected: "an array of drag items") }
        var count = 0
        for item in elements where !faults.isFull {
            count += 1
            guard count <= AnswerType.maximumDragItems else {
                return faults.append(self, "a drag has at most \(AnswerType.maximumDragItems) items")
            }
            item.checkDragItem(&faults)
        }
    }

    private func checkDragItem(_ faults: inout FaultList) {
        guard isObject("a drag item", &faults) else { return }
        for member in members {
            switch member.name {
            case "text", "type": member.value.checkText(&faults)
            case "localObject":
                if member.value.text.count > AnswerType.maximumTextLength {
                    faults.append(
                        member.value, "a localObject has at most \(AnswerType.maximumTextLength) bytes as JSON")
                }
            case "sourceIndexPath": _ = member.value.decodePath(&faults)
            default:
                JSONNode.appendUnknown(
                    member, of: "a drag item", known: ["text", "type", "localObject", "sourceIndexPath"], &faults)
            }
        }
        if self["text"] == nil, self["localObject"] == nil {
            faults.append(self, #"a drag item needs the member "text" or "localObject""#)
        }
    }

    /// Checks a drop proposal.
    func checkDropProposal(_ faults: inout FaultList) {
        guard isObject("a drop proposal", &faults) else { return }
        for member in members {
            switch member.name {
            case "operation": _ = member.value.decodeChoice(AnswerType.DropOperation.self, &faults)
            case "intent": _ = member.value.decodeChoice(AnswerType.DropIntent.self, &faults)
            default: JSONNode.appendUnknown(member, of: "a drop proposal", known: ["operation", "intent"], &faults)
            }
        }
        if self["operation"] == nil { faults.append(self, #"a drop proposal needs the member "operation""#) }
    }
}
