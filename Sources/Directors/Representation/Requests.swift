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
    /// The animations that the reload's caller wishes.
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
    package static func decode(
        _ node: JSONNode, within limits: DirectorLimits = DirectorLimits()
    ) throws(RepresentationError) -> OperationBatch {
        try decoding(within: limits) { fields.decode(node, into: OperationBatch(operations: []), &$0) }
    }

    /// The members of a batch.
    package static let fields = Fields<OperationBatch>("a batch") {
        Field(
            "operations", \.operations, .operations, isRequired: true,
            "The operations in the order in which they apply.")
        Field("reload", \.reload, .boolean, "Whether a reload follows.")
        Field("dryRun", \.dryRun, .boolean, "Whether nothing is to change.")
        Field("animations", \.animations, .optional(.animations), "The animations of the reload.")
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
        try decoding { ReloadRequest.fields.decode(node, into: ReloadRequest(), &$0) }.animations
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

/// The body of `POST …/reload`.
package struct ReloadRequest: Equatable, Sendable {
    fileprivate var animations: Animations?

    /// The members of a reload.
    package static let fields = Fields<ReloadRequest>("a reload") {
        Field("animations", \.animations, .optional(.animations), "The animations of the reload.")
    }
}

extension FieldType<[Operation]> {
    /// The operations of a batch.
    fileprivate static let operations = FieldType(
        .array(.reference("Operation"), maxItems: OperationBatch.maximumCount),
        decode: { OperationBatch.decodeOperations($0, &$1) },
        encode: { operations, writer in
            writer.array { writer in for operation in operations { operation.encode(to: &writer) } }
        })
}

extension FieldType<Animations> {
    /// Animations by kind of operation.
    static let animations = FieldType(
        .reference("Animations"), decode: { Animations.decode($0, &$1) }, encode: { $0.encode(to: &$1) })
}

extension Animations {
    /// The members of animations.
    package static let members = ChangesetOperation.allCases.map { operation in
        MemberDescription(operation.rawValue, .reference("Animation"), presence: .sometimes)
    }
}
