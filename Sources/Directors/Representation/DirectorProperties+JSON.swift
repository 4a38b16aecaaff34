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
        guard patch.kind == .object else {
            throw RepresentationError([Fault(pointer: "", detail: "expected a merge patch, an object")])
        }
        var writer = JSONWriter()
        withoutPolicies(replacedBy: patch).encode(to: &writer)
        let form: JSONValue
        do {
            form = try JSONValue(parsing: writer.bytes)
        } catch {
            throw RepresentationError([Fault(pointer: "", detail: error.description)])
        }
        return try DirectorProperties.decode(form.merging(patch).document.root, kind: kind)
    }

    /// The properties with those policies at their default that a patch gives another form.
    private func withoutPolicies(replacedBy patch: JSONNode) -> DirectorProperties {
        switch self {
        case .table(var table):
            if table.rowHeight.isReplaced(by: patch["rowHeight"]) { table.rowHeight = .default }
            if table.headerHeight.isReplaced(by: patch["headerHeight"]) { table.headerHeight = .default }
            if table.footerHeight.isReplaced(by: patch["footerHeight"]) { table.footerHeight = .default }
            return .table(table)
        case .flow(var flow):
            if flow.itemSize.isReplaced(by: patch["itemSize"]) { flow.itemSize = .default }
            return .flow(flow)
        case .collection(var collection):
            if collection.itemSize.isReplaced(by: patch["itemSize"]) { collection.itemSize = .default }
            return .collection(collection)
        }
    }

    static func decode(_ node: JSONNode, kind: DirectorKind, _ faults: inout FaultList) -> DirectorProperties? {
        guard node.isObject("properties", &faults) else { return nil }
        switch kind {
        case .table:
            var table = TableProperties()
            for member in node.members { table.set(member, &faults) }
            return .table(table)
        case .collection:
            var collection = CollectionProperties()
            for member in node.members { collection.set(member, &faults) }
            return .collection(collection)
        case .flow:
            var flow = FlowProperties()
            for member in node.members { flow.set(member, &faults) }
            return .flow(flow)
        }
    }

    /// Appends every property, whether or not it is at its default.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .table(let table): table.encodeMembers(to: &writer)
        case .collection(let collection): collection.encodeMembers(to: &writer)
        case .flow(let flow): flow.encodeMembers(to: &writer)
        }
        writer.endObject()
    }
}

extension SizePolicy {
    /// Whether a patch's member gives the policy the form that it does not have.
    fileprivate func isReplaced(by node: JSONNode?) -> Bool {
        guard let node, node.kind == .object else { return false }
        switch self {
        case .default: return false
        case .auto: return node["explicit"].map { !$0.isNull } ?? false
        case .explicit: return node["auto"].map { !$0.isNull } ?? false
        }
    }
}

extension TableProperties {
    private static let names = ["rowHeight", "headerHeight", "footerHeight"]

    fileprivate mutating func set(_ member: JSONNode.Member, _ faults: inout FaultList) {
        switch member.name {
        case "rowHeight": rowHeight = SizePolicy.decode(member.value, &faults) ?? .default
        case "headerHeight": headerHeight = SizePolicy.decode(member.value, &faults) ?? .default
        case "footerHeight": footerHeight = SizePolicy.decode(member.value, &faults) ?? .default
        default: JSONNode.appendUnknown(member, of: "a table director", known: TableProperties.names, &faults)
        }
    }

    fileprivate func encodeMembers(to writer: inout JSONWriter) {
        for (name, policy) in zip(TableProperties.names, [rowHeight, headerHeight, footerHeight]) {
            writer.key(name)
            policy.encode(to: &writer)
        }
    }
}

extension CollectionProperties {
    private static let names = ["itemSize"]

    fileprivate mutating func set(_ member: JSONNode.Member, _ faults: inout FaultList) {
        switch member.name {
        case "itemSize": itemSize = SizePolicy.decode(member.value, &faults) ?? itemSize
        default:
            JSONNode.appendUnknown(member, of: "a collection director", known: CollectionProperties.names, &faults)
        }
    }

    fileprivate func encodeMembers(to writer: inout JSONWriter) {
        writer.key("itemSize")
        itemSize.encode(to: &writer)
    }
}

extension FlowProperties {
    private static let names = [
        "itemSize", "sectionInsets", "minimumInteritemSpacing", "minimumLineSpacing", "stickyHeaders", "stickyFooters",
        "sectionInsetReference",
    ]

    fileprivate mutating func set(_ member: JSONNode.Member, _ faults: inout FaultList) {
        let value = member.value
        switch member.name {
        case "itemSize": itemSize = SizePolicy.decode(value, &faults) ?? itemSize
        case "sectionInsets": sectionInsets = EdgeInsets.decode(value, &faults) ?? sectionInsets
        case "minimumInteritemSpacing":
            minimumInteritemSpacing = value.decodeLength(&faults) ?? minimumInteritemSpacing
        case "minimumLineSpacing": minimumLineSpacing = value.decodeLength(&faults) ?? minimumLineSpacing
        case "stickyHeaders": stickyHeaders = value.decodeBool(&faults) ?? stickyHeaders
        case "stickyFooters": stickyFooters = value.decodeBool(&faults) ?? stickyFooters
        case "sectionInsetReference":
            sectionInsetReference = value.decodeChoice(SectionInsetReference.self, &faults) ?? sectionInsetReference
        default: JSONNode.appendUnknown(member, of: "a flow director", known: FlowProperties.names, &faults)
        }
    }

    fileprivate func encodeMembers(to writer: inout JSONWriter) {
        writer.key("itemSize")
        itemSize.encode(to: &writer)
        writer.key("sectionInsets")
        sectionInsets.encode(to: &writer)
        writer.key("minimumInteritemSpacing")
        writer.double(minimumInteritemSpacing)
        writer.key("minimumLineSpacing")
        writer.double(minimumLineSpacing)
        writer.key("stickyHeaders")
        writer.bool(stickyHeaders)
        writer.key("stickyFooters")
        writer.bool(stickyFooters)
        writer.key("sectionInsetReference")
        writer.string(sectionInsetReference.rawValue)
    }
}
