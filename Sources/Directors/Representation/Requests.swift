import JSONValues
import ListDiff

/// The body of `POST …/operations`, and of a hook's answer.
package struct OperationBatch: Equatable, Sendable {
    /// The operations in the order in which they apply.
    package var operations: [Operation]
    /// Whether a reload follows.
    package var reload: Bool
    /// Whether nothing is to change.
    package var dryRun: Bool
    /// What the reload's caller wishes for.
    package var animations: Animations?

    /// The most operations of one batch.
    package static let maximumCount = 100_000

    /// Makes a batch.
    package init(
        operations: [Operation], reload: Bool = false, dryRun: Bool = false, animations: Animations? = nil
    ) {
        self.operations = operations
        self.reload = reload
        self.dryRun = dryRun
        self.animations = animations
    }

    /// Reads `{"operations": […], "reload", "dryRun", "animations"}`; all but the first may be left out.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> OperationBatch {
        try decoding { faults in
            guard node.isObject("a batch", &faults) else { return nil }
            var batch = OperationBatch(operations: [])
            for member in node.members {
                let value = member.value
                switch member.name {
                case "operations": batch.operations = decodeOperations(value, &faults)
                case "reload": batch.reload = value.decodeBool(&faults) ?? false
                case "dryRun": batch.dryRun = value.decodeBool(&faults) ?? false
                case "animations": batch.animations = value.isNull ? nil : Animations.decode(value, &faults)
                default:
                    JSONNode.appendUnknown(
                        member, of: "a batch", known: ["operations", "reload", "dryRun", "animations"], &faults)
                }
            }
            if node["operations"] == nil { faults.append(node, #"a batch needs the member "operations""#) }
            return batch
        }
    }

    static func decodeOperations(_ node: JSONNode, _ faults: inout FaultList) -> [Operation] {
        guard node.kind == .array else {
            faults.append(node, expected: "an array of operations")
            return []
        }
        var operations: [Operation] = []
        for element in node.elements where !faults.isFull {
            guard operations.count < maximumCount else {
                faults.append(node, "a batch has at most \(maximumCount) operations")
                break
            }
            if let operation = Operation.decode(element, &faults) { operations.append(operation) }
        }
        return operations
    }
}

extension Animations {
    /// Reads the animations by kind of operation.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> Animations {
        try decoding { decode(node, &$0) }
    }

    /// Reads the body of `POST …/reload`, `{"animations": {…}}`; they may be left out.
    ///
    /// - Throws: Every fault.
    package static func decodeReload(_ node: JSONNode) throws(RepresentationError) -> Animations? {
        let animations: Animations?? = try decoding { faults in
            guard node.isObject("a reload", &faults) else { return nil }
            for member in node.members where !member.isNamed("animations") {
                JSONNode.appendUnknown(member, of: "a reload", known: ["animations"], &faults)
            }
            guard let animations = node["animations"], !animations.isNull else { return .some(nil) }
            return .some(decode(animations, &faults))
        }
        return animations ?? nil
    }

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> Animations? {
        guard node.isObject("animations", &faults) else { return nil }
        var animations = Animations()
        for member in node.members {
            guard let kind = ChangesetOperation(rawValue: member.name) else {
                let known = ChangesetOperation.allCases.map(\.rawValue)
                JSONNode.appendUnknown(member, of: "animations", known: known, &faults)
                continue
            }
            animations.byOperation[kind] = member.value.decodeChoice(Animation.self, &faults)
        }
        return animations
    }

    /// Appends the animations by kind of operation, in the order of the stages.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for kind in ChangesetOperation.allCases {
            guard let animation = byOperation[kind] else { continue }
            writer.key(kind.rawValue)
            writer.string(animation.rawValue)
        }
        writer.endObject()
    }
}
