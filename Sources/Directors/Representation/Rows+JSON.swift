import JSONValues
import ListDiff

/// Writes a row with its elements in pieces. A value: a copy goes on from the same place.
struct RowEncoder: Sendable {
    private let row: Row
    private var hasBegun = false
    private var elements: PersistentList<Element>.Iterator

    /// Begins with the row's first byte.
    init(_ row: Row) {
        self.row = row
        elements = row.elements.makeIterator()
    }

    /// Goes on until the writer holds so many bytes, or an element more; returns whether the row is complete.
    ///
    /// - Complexity: O(*k*) in the bytes that are written.
    mutating func write(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        if !hasBegun {
            hasBegun = true
            row.encodeStart(to: &writer)
            guard row.settings.kind == .model else {
                writer.endObject()
                return true
            }
            writer.key("elements")
            writer.beginArray()
        }
        while writer.bytes.count < limit {
            guard let element = elements.next() else {
                writer.endArray()
                writer.endObject()
                return true
            }
            element.encode(to: &writer)
        }
        return false
    }
}

extension Row {
    /// Appends the row with its elements.
    ///
    /// - Complexity: O(*e*) in the number of elements.
    package func encode(to writer: inout JSONWriter) {
        var encoder = RowEncoder(self)
        _ = encoder.write(to: &writer, upTo: .max)
    }

    /// Appends the row with the number of its elements in their place, as `count`.
    package func encodeCounted(to writer: inout JSONWriter) {
        encodeStart(to: &writer)
        if settings.kind == .model { writer.member("count", elements.count) }
        writer.endObject()
    }

    /// Appends the row as it is read by itself, with where it is.
    ///
    /// - Parameters:
    ///   - section: The identifier of its section.
    ///   - position: Its position among the section's rows.
    ///   - includingElements: Whether the elements are written, or their number.
    ///   - writer: Where it goes.
    package func encode(
        in section: String, at position: Int, includingElements: Bool, to writer: inout JSONWriter
    ) {
        encodeStart(to: &writer)
        if settings.kind == .model {
            if includingElements {
                writer.key("elements")
                writer.array { writer in for element in elements { element.encode(to: &writer) } }
            } else {
                writer.member("count", elements.count)
            }
        }
        writer.member("section", section)
        writer.member("position", position)
        writer.endObject()
    }

    /// Appends the members before the elements; the object stays open.
    package func encodeStart(to writer: inout JSONWriter) {
        writer.beginObject()
        RowSettings.fields.encodeMembers(of: settings.values, to: &writer)
    }

    /// The members of a row.
    package static let members =
        RowSettings.fields.members + [
            elementsMember,
            MemberDescription(
                "count", .integer(minimum: 0), use: .refused, presence: .sometimes,
                "How many elements there are, where they are left out."),
            MemberDescription(
                "section", .string(), body: .any, use: .leftAside, presence: .sometimes,
                "The identifier of its section, where the row is read by itself."),
            MemberDescription(
                "position", .integer(minimum: 0), body: .any, use: .leftAside, presence: .sometimes,
                "Its position among the section's rows, where the row is read by itself."),
        ]

    fileprivate static let elementsMember = MemberDescription(
        "elements", .array(.reference("Element")), body: .nullable(.array(.reference("ElementInput"))),
        presence: .sometimes, "A model row's elements in order.")
}

extension RowDraft {
    /// Reads a row. Elements that are left out are none; so is an `id` that is left out.
    ///
    /// - Throws: Every fault.
    package static func decode(
        _ node: JSONNode, within limits: DirectorLimits? = nil
    ) throws(RepresentationError) -> RowDraft {
        try decoding(within: limits) { decode(node, &$0) }
    }

    /// Reads one row, an array of rows, or a list as a read has answered it, `{"rows": […]}`.
    ///
    /// A row without an `id` is given a random UUID here, so that performing what was read gives the same state each
    /// time.
    ///
    /// - Throws: Every fault.
    package static func decodeSeveral(
        _ node: JSONNode, within limits: DirectorLimits? = nil
    ) throws(RepresentationError) -> [RowDraft] {
        try decoding(within: limits) { faults in
            if node.kind == .object, let list = node["rows"] {
                node.checkListMembers("rows", &faults)
                return decodeList(list, &faults)
            }
            if node.kind == .array { return decodeList(node, &faults) }
            return decode(node, &faults).map { [$0.resolved] }
        }
    }

    static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [RowDraft]? {
        guard node.kind == .array else {
            faults.append(node, expected: "an array of rows")
            return nil
        }
        var drafts: [RowDraft] = []
        for element in node.elements where !faults.isFull {
            if let draft = decode(element, &faults) { drafts.append(draft.resolved) }
        }
        return drafts
    }

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> RowDraft? {
        guard node.isObject("a row", &faults) else { return nil }
        var draft = RowDraft(RowSettings.Values())
        var next = 0
        for member in node.members
        where !RowSettings.fields.decode(member, into: &draft.values, from: &next, &faults) {
            draft.takeOther(member, &faults)
        }
        RowSettings.fields.checkRequired(of: node, &faults)
        return draft
    }

    /// Takes a member that is no setting.
    private mutating func takeOther(_ member: JSONNode.Member, _ faults: inout FaultList) {
        switch member.name {
        case Row.elementsMember.name:
            if !member.value.isNull { elements = ElementDraft.decodeList(member.value, &faults) ?? [] }
        case "section", "position": break
        case "count":
            faults.append(
                member.value, "count stands for elements that were left out of a read; send elements instead")
        default:
            let known = Row.members.filter { $0.use != .refused }.map(\.name)
            JSONNode.appendUnknown(member, of: "a row", known: known, &faults)
        }
    }

    /// Appends the draft as a row.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        RowSettings.fields.encodeMembers(of: values, to: &writer)
        if values.kind == .model {
            writer.key("elements")
            writer.array { writer in for element in elements { element.encode(to: &writer) } }
        }
        writer.endObject()
    }

    /// A row with a merge patch applied to its JSON form without elements; of the elements, those that the patch has.
    ///
    /// An expression is replaced as a whole: two that are merged would be none.
    ///
    /// - Complexity: O(*n*) in the lengths of the patch and of the row's members that it changes. Unchanged members,
    ///   expressions too, are neither written nor read.
    init(_ patch: JSONValue, of row: Row, within limits: DirectorLimits? = nil) throws(RepresentationError) {
        let root = patch.document.root
        if let identifier = root["id"], identifier.isNull {
            throw RepresentationError([Fault(pointer: "/id", detail: "a row's id can be changed, not removed")])
        }
        guard root.kind == .object else { throw RepresentationError.notPatch }
        var values = row.settings.values
        // Two that are merged would be none.
        if root["hideWhen"] != nil { values.hideWhen = nil }
        if root["height"] != nil { values.height = nil }
        if root["estimatedHeight"] != nil { values.estimatedHeight = nil }
        self = try decoding(within: limits) { faults in
            if root["additionalConfig"] != nil, let holes = values.additionalConfig?.holes {
                for hole in holes { faults.reading.keep(hole.expression) }
            }
            var draft = RowDraft(values)
            for member in root.members
            where !RowSettings.fields.patch(member, into: &draft.values, initial: RowSettings.Values(), &faults) {
                draft.takeOther(member, &faults)
            }
            return draft
        }
    }
}
