import JSONValues

extension AnswerType {
    /// The longest text, in bytes.
    package static let maximumTextLength = 4096
    /// The most actions of one row.
    package static let maximumActions = 16

    /// Takes a value of the type as it came in.
    ///
    /// - Throws: Every fault, with pointers on the node's document.
    package func check(_ node: JSONNode) throws(RepresentationError) -> JSONValue {
        try decoding { check(node, &$0) }
    }

    func check(_ node: JSONNode, _ faults: inout FaultList) -> JSONValue? {
        var own = FaultList()
        switch self {
        case .boolean: _ = node.decodeBool(&own)
        case .number: node.checkNumber(&own)
        case .height: _ = node.decodeHeight(&own)
        case .integer: _ = node.decodePosition(&own)
        case .string: node.checkText(&own)
        case .optionalString: if !node.isNull { node.checkText(orNull: true, &own) }
        case .size: _ = FieldType.size.decode(node, &own)
        case .point: node.checkPoint(&own)
        case .insets: _ = FieldType.insets.decode(node, &own)
        case .indexPath: _ = node.decodePath(&own)
        case .optionalIndexPath: if !node.isNull { _ = node.decodePath(&own) }
        case .editStyle: _ = node.decodeChoice(EditStyle.self, &own)
        case .actions: if !node.isNull { node.checkActions(&own) }
        case .swipeActions: if !node.isNull { node.checkSwipeActions(&own) }
        case .dragItems: node.checkDragItems(&own)
        case .dropProposal: node.checkDropProposal(&own)
        }
        for fault in own.faults { faults.append(fault) }
        return own.isEmpty ? node.value : nil
    }

    /// The editing style of a table's row (UIKit's `UITableViewCell.EditingStyle`).
    enum EditStyle: String, CaseIterable {
        case none
        case delete
        case insert
    }
}

extension JSONNode {
    fileprivate func checkNumber(_ faults: inout FaultList) {
        if double == nil { faults.append(self, expected: "a number") }
    }

    func checkText(orNull: Bool = false, _ faults: inout FaultList) {
        guard let string else { return faults.append(self, expected: orNull ? "a string or null" : "a string") }
        let limit = AnswerType.maximumTextLength
        if string.utf8.count > limit { faults.append(self, "a text has at most \(limit) bytes") }
    }

    fileprivate func checkPoint(_ faults: inout FaultList) {
        guard isObject("a point", &faults) else { return }
        for member in members {
            guard member.isNamed("x") || member.isNamed("y") else {
                JSONNode.appendUnknown(member, of: "a point", known: ["x", "y"], &faults)
                continue
            }
            _ = member.value.decodeLength(&faults, allowingNegative: true)
        }
        for name in ["x", "y"] where self[name] == nil {
            faults.append(self, "a point needs the member \(name.quoted)")
        }
    }

    fileprivate func checkActions(orNull: Bool = true, _ faults: inout FaultList) {
        guard kind == .array else {
            return faults.append(self, expected: orNull ? "an array of actions or null" : "an array of actions")
        }
        var count = 0
        for action in elements where !faults.isFull {
            count += 1
            guard count <= AnswerType.maximumActions else {
                return faults.append(self, "a row has at most \(AnswerType.maximumActions) actions")
            }
            action.checkAction(&faults)
        }
    }

    /// Checks a list of actions, or an object that has one and says what a full swipe does.
    fileprivate func checkSwipeActions(_ faults: inout FaultList) {
        guard kind == .object else {
            guard kind == .array else {
                return faults.append(self, expected: "an array of actions, an object with one, or null")
            }
            return checkActions(&faults)
        }
        let known = ["actions", "performsFirstActionWithFullSwipe"]
        for member in members {
            switch member.name {
            case "actions": member.value.checkActions(orNull: false, &faults)
            case "performsFirstActionWithFullSwipe": _ = member.value.decodeBool(&faults)
            default: JSONNode.appendUnknown(member, of: "a configuration of swipe actions", known: known, &faults)
            }
        }
        if self["actions"] == nil {
            faults.append(self, #"a configuration of swipe actions needs the member "actions""#)
        }
    }

    private func checkAction(_ faults: inout FaultList) {
        guard isObject("an action", &faults) else { return }
        let known = ["title", "style", "backgroundColor", "image", "identifier"]
        for member in members {
            switch member.name {
            case "title", "image", "identifier": member.value.checkText(&faults)
            case "style": _ = member.value.decodeChoice(ActionStyle.self, &faults)
            case "backgroundColor": member.value.checkColor(&faults)
            default: JSONNode.appendUnknown(member, of: "an action", known: known, &faults)
            }
        }
        if self["title"] == nil, self["image"] == nil {
            faults.append(self, #"an action needs the member "title" or "image""#)
        }
    }

    /// Checks a colour.
    func checkColor(_ faults: inout FaultList) {
        checkText(&faults)
        guard let string, string.first == "#" else { return }
        let digits = string.dropFirst()
        if ![6, 8].contains(digits.utf8.count) || !digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
            faults.append(self, "a colour is #RRGGBB, #RRGGBBAA or the name of one")
        }
    }

    /// How an action looks (UIKit's `UIContextualAction.Style`).
    private enum ActionStyle: String, CaseIterable {
        case normal
        case destructive
    }
}
