import JSONValues

extension CellAdapter {
    private static let members = [
        "model", "cell", "reuseIdentifier", "viewSource", "identifier", "content", "events",
    ]

    /// Reads a cell adapter; its `events` are left to ``EventHookDraft/decodeEvents(of:source:)``.
    ///
    /// - Parameter model: The model where it is said elsewhere, such as in a path; the body may leave it out then and
    ///   may not name another one.
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode, model: String?) throws(RepresentationError) -> CellAdapter {
        try decoding { decode(node, model: model, &$0) }
    }

    static func decode(_ node: JSONNode, model: String?, _ faults: inout FaultList) -> CellAdapter? {
        guard node.isObject("a cell adapter", &faults) else { return nil }
        var cell: String?
        var reuseIdentifier: String?
        var identifier = IdentifierTemplate.default
        var content: [JSONPointer]?
        for member in node.members {
            let value = member.value
            switch member.name {
            case "model", "viewSource": break
            case "cell": cell = value.decodeName(&faults)
            case "reuseIdentifier": reuseIdentifier = value.isNull ? nil : value.decodeName(&faults)
            case "identifier": identifier = IdentifierTemplate.decode(value, &faults) ?? identifier
            case "content": content = decodeContent(value, &faults)
            case "events": value.checkEvents(&faults)
            default: JSONNode.appendUnknown(member, of: "a cell adapter", known: members, &faults)
            }
        }
        let name = node.decodeKey("model", given: model, &faults)
        if node["cell"] == nil { faults.append(node, #"a cell adapter needs the member "cell""#) }
        let viewSource = ViewSource.decode(node["viewSource"], defaultName: cell, &faults)
        guard let name, let cell else { return nil }
        return CellAdapter(
            model: name, cell: cell, reuseIdentifier: reuseIdentifier, viewSource: viewSource, identifier: identifier,
            content: content)
    }

    private static func decodeContent(_ node: JSONNode, _ faults: inout FaultList) -> [JSONPointer]? {
        guard !node.isNull else { return nil }
        guard node.kind == .array else {
            faults.append(node, expected: "an array of JSON pointers or null")
            return nil
        }
        var pointers: [JSONPointer] = []
        for element in node.elements {
            guard let pointer = element.string.flatMap({ JSONPointer(parsing: $0) }) else {
                faults.append(element, #"expected a JSON pointer such as "/age""#)
                continue
            }
            pointers.append(pointer)
        }
        if pointers.count > maximumContentPointers {
            faults.append(node, "content equality looks at \(maximumContentPointers) pointers at most")
        }
        return pointers
    }

    /// Appends all that the adapter says, and its `events` as an object: empty unless they are written by the caller.
    package func encode(
        to writer: inout JSONWriter, events: (inout JSONWriter) -> Void = { $0.emptyObject() }
    ) {
        writer.beginObject()
        writer.key("model")
        writer.string(model)
        writer.key("cell")
        writer.string(cell)
        writer.key("reuseIdentifier")
        writer.string(reuseIdentifier)
        writer.key("viewSource")
        viewSource.encode(to: &writer)
        writer.key("identifier")
        writer.string(identifier.text)
        writer.key("content")
        if let content {
            writer.beginArray()
            for pointer in content { writer.string(pointer.description) }
            writer.endArray()
        } else {
            writer.null()
        }
        writer.key("events")
        events(&writer)
        writer.endObject()
    }
}

extension HeaderFooterAdapter {
    /// Reads a header or footer adapter; its `events` are left to ``EventHookDraft/decodeEvents(of:source:)``.
    ///
    /// - Parameter view: The view where it is said elsewhere, such as in a path; the body may leave it out then and may
    ///   not name another one.
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode, view: String?) throws(RepresentationError) -> HeaderFooterAdapter {
        try decoding { decode(node, view: view, &$0) }
    }

    static func decode(_ node: JSONNode, view: String?, _ faults: inout FaultList) -> HeaderFooterAdapter? {
        guard node.isObject("a header/footer adapter", &faults) else { return nil }
        var reuseIdentifier: String?
        for member in node.members {
            let value = member.value
            switch member.name {
            case "view", "viewSource": break
            case "reuseIdentifier": reuseIdentifier = value.isNull ? nil : value.decodeName(&faults)
            case "events": value.checkEvents(&faults)
            default:
                JSONNode.appendUnknown(
                    member, of: "a header/footer adapter", known: ["view", "reuseIdentifier", "viewSource", "events"],
                    &faults)
            }
        }
        let name = node.decodeKey("view", given: view, &faults)
        let viewSource = ViewSource.decode(node["viewSource"], defaultName: name, &faults)
        guard let name else { return nil }
        return HeaderFooterAdapter(view: name, reuseIdentifier: reuseIdentifier, viewSource: viewSource)
    }

    /// Appends all that the adapter says, and its `events` as an object: empty unless they are written by the caller.
    package func encode(
        to writer: inout JSONWriter, events: (inout JSONWriter) -> Void = { $0.emptyObject() }
    ) {
        writer.beginObject()
        writer.key("view")
        writer.string(view)
        writer.key("reuseIdentifier")
        writer.string(reuseIdentifier)
        writer.key("viewSource")
        viewSource.encode(to: &writer)
        writer.key("events")
        events(&writer)
        writer.endObject()
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
        guard let own = member.decodeName(&faults) else { return nil }
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
