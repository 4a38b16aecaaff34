import JSONValues

extension CellAdapter {
    /// Reads a cell adapter; its `events` are left to ``EventHookDraft/decodeEvents(of:source:)``.
    ///
    /// - Parameters:
    ///   - model: The model from a path, for example; the body may then omit it and may not name another one.
    ///   - limits: What bounds a request; nil for what was stored.
    /// - Throws: Every fault.
    package static func decode(
        _ node: JSONNode, model: String?, within limits: DirectorLimits? = nil
    ) throws(RepresentationError) -> CellAdapter {
        try decoding(within: limits) { decode(node, model: model, &$0) }
    }

    static func decode(_ node: JSONNode, model: String?, _ faults: inout FaultList) -> CellAdapter? {
        guard node.isObject("a cell adapter", &faults) else { return nil }
        var values = Values()
        fields.decodeMembers(of: node, into: &values, &faults) { $0.value.checkEvents(&$1) }
        let name = node.decodeKey("model", given: model, &faults)
        fields.checkRequired(of: node, &faults)
        let cell = values.cell.isEmpty ? nil : values.cell
        values.viewSource = ViewSource.decode(node["viewSource"], defaultName: cell, &faults)
        guard let name, cell != nil else { return nil }
        values.model = name
        return CellAdapter(values)
    }

    /// Appends all that the adapter says, and its `events` as an object: empty unless they are written by the caller.
    package func encode(
        to writer: inout JSONWriter, events: (inout JSONWriter) -> Void = { $0.emptyObject() }
    ) {
        writer.beginObject()
        CellAdapter.fields.encodeMembers(of: values, to: &writer)
        writer.key(MemberDescription.events.name)
        events(&writer)
        writer.endObject()
    }
}

extension HeaderFooterAdapter {
    /// Reads a header or footer adapter; its `events` are left to ``EventHookDraft/decodeEvents(of:source:)``.
    ///
    /// - Parameters:
    ///   - view: The view from a path, for example; the body may then omit it and may not name another one.
    ///   - limits: What bounds a request; nil for what was stored.
    /// - Throws: Every fault.
    package static func decode(
        _ node: JSONNode, view: String?, within limits: DirectorLimits? = nil
    ) throws(RepresentationError) -> HeaderFooterAdapter {
        try decoding(within: limits) { decode(node, view: view, &$0) }
    }

    static func decode(_ node: JSONNode, view: String?, _ faults: inout FaultList) -> HeaderFooterAdapter? {
        guard node.isObject("a header/footer adapter", &faults) else { return nil }
        var adapter = HeaderFooterAdapter(view: "")
        fields.decodeMembers(of: node, into: &adapter, &faults) { $0.value.checkEvents(&$1) }
        let name = node.decodeKey("view", given: view, &faults)
        let viewSource = ViewSource.decode(node["viewSource"], defaultName: name, &faults)
        guard let name else { return nil }
        let reuseIdentifier = adapter.reuseIdentifier.isEmpty ? nil : adapter.reuseIdentifier
        return HeaderFooterAdapter(view: name, reuseIdentifier: reuseIdentifier, viewSource: viewSource)
    }

    /// Appends all that the adapter says, and its `events` as an object: empty unless they are written by the caller.
    package func encode(
        to writer: inout JSONWriter, events: (inout JSONWriter) -> Void = { $0.emptyObject() }
    ) {
        writer.beginObject()
        HeaderFooterAdapter.fields.encodeMembers(of: self, to: &writer)
        writer.key(MemberDescription.events.name)
        events(&writer)
        writer.endObject()
    }
}

extension MemberDescription {
    /// The hooks of an adapter, which are read and written by themselves.
    static let events = MemberDescription(
        "events", .reference("EventHooks"), body: .reference("EventHookInputs"), presence: .sometimes,
        "All event hooks of the adapter by the names of their events; left out, they stay.")
}

extension FieldType {
    /// A value that is read after the others, because it depends on one of them or on the path.
    static func elsewhere(_ type: FieldType) -> FieldType {
        FieldType(type.schema, body: type.bodySchema, decode: { _, _ in nil }, encode: type.encode, text: type.text)
    }
}

extension FieldType<ViewSource> {
    /// Where a view is found.
    static let viewSource = FieldType(
        .reference("ViewSource"), body: .reference("ViewSourceInput"),
        decode: { ViewSource.decode($0, defaultName: nil, &$1) }, encode: { $0.encode(to: &$1) })
}

extension FieldType<IdentifierTemplate> {
    /// A template for identifiers.
    static let template = FieldType(
        .string(), body: .string(minLength: 1), decode: { IdentifierTemplate.decode($0, &$1) },
        encode: { $1.string($0.text) })
}

extension FieldType<[JSONPointer]?> {
    /// The pointers of content equality.
    static let pointers = FieldType(
        .nullable(.array(.string())), body: .nullable(.array(.string(), maxItems: CellAdapter.maximumContentPointers)),
        decode: { node, faults in .some(decode(node, &faults)) },
        encode: { pointers, writer in
            guard let pointers else { return writer.null() }
            writer.array { writer in for pointer in pointers { writer.string(pointer.description) } }
        })

    private static func decode(_ node: JSONNode, _ faults: inout FaultList) -> [JSONPointer]? {
        guard !node.isNull else { return nil }
        guard node.kind == .array else {
            faults.append(node, expected: "an array of JSON pointers or null")
            return nil
        }
        let limit = CellAdapter.maximumContentPointers
        var pointers: [JSONPointer] = []
        for element in node.elements where pointers.count <= limit && !faults.isFull {
            guard let pointer = element.string.flatMap({ JSONPointer(parsing: $0) }) else {
                faults.append(element, #"expected a JSON pointer such as "/age""#)
                continue
            }
            pointers.append(pointer)
        }
        if pointers.count > limit { faults.append(node, "content equality looks at \(limit) pointers at most") }
        return pointers
    }
}

extension ViewSource {
    /// Reads where a view is found; the storyboard where nothing is said.
    ///
    /// - Parameter defaultName: The name of an interface file that is left open (`{"xib": null}`): that of the cell or view.
    static func decode(_ node: JSONNode?, defaultName: String?, _ faults: inout FaultList) -> ViewSource {
        guard let node else { return .storyboard }
        switch node.string {
        case "storyboard": return .storyboard
        case "class": return .class
        default: break
        }
        guard node.kind == .object, let xib = node["xib"] else {
            faults.append(node, #"expected "storyboard", "class" or {"xib": name or null, "bundle": name}"#)
            return .storyboard
        }
        for member in node.members where !member.isNamed("xib") && !member.isNamed("bundle") {
            JSONNode.appendUnknown(member, of: "a view source", known: ["xib", "bundle"], &faults)
        }
        let bundle = node["bundle"].flatMap { $0.isNull ? nil : $0.decodeName(&faults) }
        let name = xib.isNull ? defaultName : xib.decodeName(&faults)
        return name.map { .xib(name: $0, bundle: bundle) } ?? .storyboard
    }

    /// Appends `"storyboard"`, `"class"`, or an object that names the interface file.
    package func encode(to writer: inout JSONWriter) {
        switch self {
        case .storyboard: writer.string("storyboard")
        case .class: writer.string("class")
        case .xib(let name, let bundle):
            writer.beginObject()
            writer.key("xib")
            writer.string(name)
            if let bundle {
                writer.key("bundle")
                writer.string(bundle)
            }
            writer.endObject()
        }
    }
}

extension IdentifierTemplate {
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> IdentifierTemplate? {
        guard let text = node.decodeString(&faults) else { return nil }
        do {
            return try IdentifierTemplate(parsing: text)
        } catch {
            faults.append(node, error.detail)
            return nil
        }
    }
}

extension JSONNode {
    /// The member that names what the object stands for, or the name that is given for it elsewhere.
    func decodeKey(_ name: String, given: String?, _ faults: inout FaultList) -> String? {
        guard let member = self[name] else {
            if given == nil { faults.append(self, "the member \(name.quoted) is missing") }
            return given
        }
        // Whether a new adapter may have the name is for the director to say.
        guard let own = member.decodeName(&faults, isReference: true) else { return nil }
        if let given, !given.utf8.elementsEqual(own.utf8) {
            faults.append(member, "the path says \(given.quoted); leave the member out or say the same")
        }
        return own
    }

    /// The hooks of an adapter, which are read elsewhere; null is as good as leaving them out.
    fileprivate func checkEvents(_ faults: inout FaultList) {
        if !isNull { _ = isObject("events", &faults) }
    }
}
