import JSONValues
import ListDiff

/// The answer of a hook's target: values of a question, and changes of the director.
package struct HookAnswer: Sendable {
    /// The values, one for each default answer of the event; nil where there is none or a bad one. None for a
    /// notification.
    package let values: [JSONValue?]
    /// The answer's faults; each value that is nil and was not left out has one.
    package let faults: [Fault]
    /// The requested operations and reload; nil if the answer requests none, or its request is invalid.
    package let batch: OperationBatch?

    /// Reads an answer, `{"value"}` or `{"values"}`, and `{"operations", "reload", "animations"}`.
    ///
    /// A receiver answers more than one program: members that are not known are left aside. To a question about several
    /// elements it answers `values`, as many as the message has `items`, or one `value` for all.
    ///
    /// - Complexity: O(*n*) in the length of the answer.
    package static func decode(_ node: JSONNode, to event: ResolvedEvent) -> HookAnswer {
        var faults = FaultList()
        guard node.isObject("an answer", &faults) else {
            return HookAnswer(
                values: event.defaultAnswers.map { _ in nil }, faults: faults.faults, batch: nil)
        }
        let values = decodeValues(node, event, &faults)
        let batch = decodeBatch(node, &faults)
        return HookAnswer(values: values, faults: faults.faults, batch: batch)
    }

    /// Reads the answer to a notification, `{"operations", "reload", "animations"}`; it has no values.
    ///
    /// - Complexity: O(*n*) in the length of the answer.
    package static func decodeNotification(_ node: JSONNode) -> HookAnswer {
        var faults = FaultList()
        guard node.isObject("an answer", &faults) else {
            return HookAnswer(values: [], faults: faults.faults, batch: nil)
        }
        let batch = decodeBatch(node, &faults)
        return HookAnswer(values: [], faults: faults.faults, batch: batch)
    }

    private static func decodeValues(
        _ node: JSONNode, _ event: ResolvedEvent, _ faults: inout FaultList
    ) -> [JSONValue?] {
        guard event.definition.answerType != nil else { return [] }
        let count = event.defaultAnswers.count
        if event.isBatch, let list = node["values"] {
            let nodes = list.kind == .array ? Array(list.elements) : []
            guard nodes.count == count else {
                faults.append(list, "expected an array of \(count) values, one for each item")
                return Array(repeating: nil, count: count)
            }
            return nodes.map { event.check($0, &faults) }
        }
        guard let value = node["value"] else { return Array(repeating: nil, count: count) }
        return Array(repeating: event.check(value, &faults), count: count)
    }

    private static func decodeBatch(_ node: JSONNode, _ faults: inout FaultList) -> OperationBatch? {
        var own = FaultList()
        own.reading = ReadingContext(DirectorLimits())
        let operations = node.present("operations").map { OperationBatch.decodeOperations($0, &own) } ?? []
        let reload = node.present("reload").flatMap { $0.decodeBool(&own) } ?? false
        let animations = node.present("animations").flatMap { Animations.decode($0, &own) }
        for fault in own.faults { faults.append(fault) }
        guard own.isEmpty, reload || !operations.isEmpty else { return nil }
        return OperationBatch(operations: operations, reload: reload, animations: animations)
    }
}

extension ResolvedEvent {
    /// Takes an answer that is of the event's type and fits the list: a view that is told an index path or a section
    /// that it does not have ends with an exception.
    fileprivate func check(_ node: JSONNode, _ faults: inout FaultList) -> JSONValue? {
        guard let type = definition.answerType, let value = type.check(node, &faults) else { return nil }
        if let detail = misfit(node, type) {
            faults.append(node, detail)
            return nil
        }
        return value
    }

    private func misfit(_ node: JSONNode, _ type: AnswerType) -> String? {
        var ignored = FaultList()
        switch type {
        case .indexPath, .optionalIndexPath:
            guard let path = node.decodePath(&ignored) else { return nil }
            guard list.sections.indices.contains(path.section) else { return "there is no section \(path.section)" }
            let count = list.sections[path.section].list.count
            // What is moved may also stand behind the last element of its new section.
            let last = type == .indexPath ? count : count - 1
            return path.element <= last ? nil : "section \(path.section) has \(count) elements"
        case .integer where definition.defaultRule == .indexedSection:
            guard let section = node.int, !list.sections.indices.contains(section) else { return nil }
            return "there is no section \(section)"
        default: return nil
        }
    }
}
