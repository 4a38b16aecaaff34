import JSONValues
import ListDiff

extension Element {
    /// Appends the element as `{"id", "model", "value"}`, with the value's original text. An element of a row also has
    /// the row's members: `{"id", "row", "cell", "reuseIdentifier", "model"?, "value", "height"?, …}`.
    ///
    /// - Complexity: copies of the three texts.
    package func encode(to writer: inout JSONWriter) {
        encode(to: &writer) { _ in }
    }

    /// Appends the element with where it is, `{"id", "model", "value", "section", "indexPath"}`, as it is read by itself.
    ///
    /// - Parameters:
    ///   - section: The identifier of its section.
    ///   - path: Its index path in the state that is read.
    ///   - writer: The output.
    package func encode(in section: String, at path: ElementPath, to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            writer.key("section")
            writer.string(section)
            writer.key("indexPath")
            writer.beginArray()
            writer.int(path.section)
            writer.int(path.element)
            writer.endArray()
        }
    }

    /// Appends the element of a row with where it is in the working state:
    /// `{"id", "model", "value", "section", "row", "position"}`. It has an index path only where it is published.
    ///
    /// - Parameters:
    ///   - section: The identifier of its section.
    ///   - row: The identifier of its row.
    ///   - position: Its position in the row.
    ///   - writer: Where it goes.
    package func encode(in section: String, row: String, at position: Int, to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            writer.member("section", section)
            writer.member("row", row)
            writer.member("position", position)
        }
    }

    @inline(__always)
    private func encode(to writer: inout JSONWriter, _ place: (inout JSONWriter) -> Void) {
        writer.beginObject()
        // Elements are what the server writes most: three prefixes instead of the steps that names take.
        writer.prefix(#""id":"#)
        writer.string(identifier)
        if let row = adapter.row {
            writer.prefix(row.prefix)
            writer.value(value)
            writer.members(row.suffix)
        } else {
            writer.prefix(#","model":"#)
            writer.string(model)
            writer.prefix(#","value":"#)
            writer.value(value)
        }
        place(&writer)
        writer.endObject()
    }
}

extension Element {
    /// The members of an element. Elements are what the server reads and writes most, so their coders are written by hand.
    package static let members =
        [
            MemberDescription(
                "id", .string(), use: .leftAside,
                "The element's identifier among those of its model, read from its value."),
            MemberDescription(
                "model", .string(), body: FieldType.name.bodySchema, presence: .sometimes,
                "The model, whose adapter reads the value; may be left out where the director has one cell adapter. A constant "
                    + "row's element has none."),
            MemberDescription("value", .any, use: .required, "The value that the element shows, as it came in."),
        ] + RowDisplay.members

    /// The members of an element that is read by itself.
    package static let placedMembers =
        members + [
            MemberDescription("section", .string(), body: .any, use: .leftAside, "The identifier of its section."),
            MemberDescription(
                "indexPath", .reference("IndexPath"), body: .any, use: .leftAside, presence: .sometimes,
                "Its place in the state that was read; missing for a row's element in the working state."),
            MemberDescription(
                "position", .integer(minimum: 0), body: .any, use: .leftAside, presence: .sometimes,
                "Its position in its row, in the working state."),
        ]
}

extension ElementDraft {
    /// Reads an element in its wrapped form, `{"model", "value"}`.
    ///
    /// An `id` may be there, as in what a read has answered, and is left aside: the value says what it is. So are
    /// `section` and `indexPath`: where an element goes is said by the request.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> ElementDraft {
        try decoding { decode(node, &$0) }
    }

    /// Reads one element or several, as bodies bring them.
    ///
    /// Without a model given: one in its wrapped form, an array of such, or a list as a read has answered it,
    /// `{"elements": […]}`. With one: a bare value, or an array of bare values.
    ///
    /// - Throws: Every fault.
    package static func decodeSeveral(
        _ node: JSONNode, model: String? = nil
    ) throws(RepresentationError) -> [ElementDraft] {
        try decoding { faults in
            if let model {
                let nodes = node.kind == .array ? Array(node.elements) : [node]
                return nodes.map { ElementDraft(model: model, reading: $0) }
            }
            if node.kind == .object, let list = node["elements"] {
                node.checkListMembers("elements", &faults)
                return decodeList(list, &faults)
            }
            return node.kind == .array ? decodeList(node, &faults) : decode(node, &faults).map { [$0] }
        }
    }

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> ElementDraft? {
        guard node.isObject("an element", &faults) else { return nil }
        var model: String?
        var value: JSONNode?
        for member in node.members {
            // Most members are one of these two, and have no string made of their name.
            if member.isNamed("value") {
                value = member.value
            } else if member.isNamed("model") {
                model = member.value.decodeName(&faults, isReference: true)
            } else {
                decodeOther(member, &faults)
            }
        }
        guard let value else {
            faults.append(node, #"an element needs the member "value""#)
            return nil
        }
        return ElementDraft(model: model, reading: value)
    }

    private static func decodeOther(_ member: JSONNode.Member, _ faults: inout FaultList) {
        switch member.name {
        case "id": _ = member.value.decodeString(&faults)
        case _ where Element.placedMembers.contains { $0.use == .leftAside && member.isNamed($0.name) }: break
        default: JSONNode.appendUnknown(member, of: "an element", known: Element.members.map(\.name), &faults)
        }
    }

    static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [ElementDraft]? {
        guard node.kind == .array else {
            faults.append(node, expected: "an array of elements")
            return nil
        }
        var drafts: [ElementDraft] = []
        for element in node.elements where !faults.isFull {
            if let draft = decode(element, &faults) { drafts.append(draft) }
        }
        return drafts
    }

    /// Appends the draft in its wrapped form.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        // Prefixes instead of the steps that names take: a log consists of little else.
        if let model {
            writer.prefix(#""model":"#)
            writer.string(model)
            writer.prefix(",")
        }
        writer.prefix(#""value":"#)
        writer.value(value)
        writer.endObject()
    }
}

extension JSONNode {
    /// Takes a list as a read has answered it, and nothing besides.
    func checkListMembers(_ name: String, _ faults: inout FaultList) {
        // "section" is there where elements were added to a new one.
        let known = [name, "offset", "limit", "total", "section"]
        for member in members where !known.contains(where: member.isNamed) {
            JSONNode.appendUnknown(member, of: "a list", known: known, &faults)
        }
    }
}
