import JSONValues

extension DirectorProperties {
    /// Reads the properties of a kind; those that are left out are at their defaults.
    ///
    /// - Throws: Every fault: a property of another kind, an unknown one, one with the wrong form.
    package static func decode(
        _ node: JSONNode, kind: DirectorKind
    ) throws(RepresentationError) -> DirectorProperties {
        try decoding { decode(node, kind: kind, &$0) }
    }

    /// The properties with a merge patch applied to their JSON form (RFC 7396); null puts one back to its default.
    ///
    /// A size policy that the patch gives another form (`{"explicit": 50}` for `{"auto": 44}`) is replaced, not merged:
    /// both forms at once mean nothing.
    ///
    /// - Throws: Every fault of the result, with pointers that fit the patch as well.
    package func merging(_ patch: JSONNode) throws(RepresentationError) -> DirectorProperties {
        switch self {
        case .table(let table):
            .table(try TableProperties.fields.merging(patch, into: table, initial: TableProperties()))
        case .collection(let collection):
            .collection(
                try CollectionProperties.fields.merging(patch, into: collection, initial: CollectionProperties()))
        case .flow(let flow): .flow(try FlowProperties.fields.merging(patch, into: flow, initial: FlowProperties()))
        case .stack(let stack):
            .stack(try StackProperties.fields.merging(patch, into: stack, initial: StackProperties()))
        }
    }

    static func decode(_ node: JSONNode, kind: DirectorKind, _ faults: inout FaultList) -> DirectorProperties? {
        switch kind {
        case .table: TableProperties.fields.decode(node, into: TableProperties(), &faults).map { .table($0) }
        case .collection:
            CollectionProperties.fields.decode(node, into: CollectionProperties(), &faults).map { .collection($0) }
        case .flow: FlowProperties.fields.decode(node, into: FlowProperties(), &faults).map { .flow($0) }
        case .stack: StackProperties.fields.decode(node, into: StackProperties(), &faults).map { .stack($0) }
        }
    }

    /// The version that a program has to know in order to read the properties; see ``ContentVersion``.
    package var contentVersion: Int {
        switch self {
        case .table(let table): TableProperties.fields.contentVersion(of: table)
        case .collection(let collection): CollectionProperties.fields.contentVersion(of: collection)
        case .flow(let flow): FlowProperties.fields.contentVersion(of: flow)
        case .stack: ContentVersion.views
        }
    }

    /// Appends the properties, whether or not they are at their defaults; but for those that say otherwise.
    package func encode(to writer: inout JSONWriter) {
        switch self {
        case .table(let table): TableProperties.fields.encode(table, to: &writer)
        case .collection(let collection): CollectionProperties.fields.encode(collection, to: &writer)
        case .flow(let flow): FlowProperties.fields.encode(flow, to: &writer)
        case .stack(let stack): StackProperties.fields.encode(stack, to: &writer)
        }
    }
}
