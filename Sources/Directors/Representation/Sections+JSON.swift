import JSONValues
import ListDiff

extension Section {
    /// Appends the section; of what it does not say, nothing is written.
    ///
    /// - Complexity: O(*e*) in the number of elements that are written.
    package func encode(to writer: inout JSONWriter, includingElements: Bool) {
        guard includingElements else { return encode(to: &writer) { _ in } }
        var encoder = SectionEncoder(self)
        _ = encoder.write(to: &writer, upTo: .max)
    }

    /// Appends the section as a snapshot has it: without its elements, and with an empty list of rows where it has rows.
    package func encodeStored(to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            guard rows != nil else { return }
            writer.key("rows")
            writer.array { _ in }
        }
    }

    /// Appends the section as a published state without elements has it: with the number of its elements in their place, as
    /// `count`.
    func encodePublishedCount(to writer: inout JSONWriter) {
        encode(to: &writer) { $0.member("count", count) }
    }

    /// Appends the section with the number of its elements in their place, as `count`; a section of rows with these, and
    /// the numbers of theirs.
    package func encodeCounted(to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            if let rows {
                writer.key("rows")
                writer.array { writer in for row in rows { row.encodeCounted(to: &writer) } }
            } else {
                writer.key("count")
                writer.int(count)
            }
        }
    }

    private func encode(to writer: inout JSONWriter, _ elements: (inout JSONWriter) -> Void) {
        encodeStart(to: &writer)
        elements(&writer)
        writer.endObject()
    }

    /// Appends the members before the elements; the object stays open.
    fileprivate func encodeStart(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(identifier)
        SectionAttributes.fields.encodeMembers(of: attributes.values, to: &writer)
    }
}

/// Writes a section with its elements or rows in pieces. A value: a copy goes on from the same place.
struct SectionEncoder: Sendable {
    private var section: Section?
    private var elements: PersistentList<Element>.Iterator
    private var rows: PersistentList<Row>.Iterator?
    private var row: RowEncoder?

    /// Begins with the section's first byte.
    init(_ section: Section) {
        self.section = section
        elements = section.list.makeIterator()
        rows = section.rows?.makeIterator()
    }

    /// Goes on until the writer holds so many bytes, or an element more; returns whether the section is complete.
    ///
    /// - Complexity: O(*k*) in the bytes that are written.
    mutating func write(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        if let section = section.take() {
            section.encodeStart(to: &writer)
            writer.key(rows == nil ? "elements" : "rows")
            writer.beginArray()
        }
        guard rows == nil else { return writeRows(to: &writer, upTo: limit) }
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

    private mutating func writeRows(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        while writer.bytes.count < limit {
            if row == nil { row = rows?.next().map { RowEncoder($0) } }
            guard let isComplete = row?.write(to: &writer, upTo: limit) else {
                writer.endArray()
                writer.endObject()
                return true
            }
            if isComplete { row = nil }
        }
        return false
    }
}

extension Section {
    /// The members of a section.
    package static let members =
        [identifierMember] + SectionAttributes.fields.members + [
            elementsMember, rowsMember,
            MemberDescription(
                "count", .integer(minimum: 0), use: .refused, presence: .sometimes,
                "How many elements there are, where they are left out."),
        ]

    fileprivate static let identifierMember = MemberDescription(
        "id", .string(), body: .nullable(SectionDraft.identifierSchema),
        "The section's identifier, unique in its list; a random UUID for a new section without one.")

    fileprivate static let elementsMember = MemberDescription(
        "elements", .array(.reference("Element")), body: .nullable(.array(.reference("ElementInput"))),
        presence: .sometimes, "The elements in order.")

    fileprivate static let rowsMember = MemberDescription(
        "rows", .array(.reference("Row")), body: .nullable(.array(.reference("RowInput"))), presence: .sometimes,
        "The rows in order, in place of elements; a published section has elements in any case.")
}

extension SectionDraft {
    /// Reads a section. Elements that are left out are none; so is an `id` that is left out.
    ///
    /// - Throws: Every fault.
    package static func decode(
        _ node: JSONNode, within limits: DirectorLimits? = nil
    ) throws(RepresentationError) -> SectionDraft {
        try decoding(within: limits) { decode(node, &$0) }
    }

    /// Reads one section, an array of sections, or a list as a read has answered it, `{"sections": […]}`.
    ///
    /// A section without an `id` is given a random UUID here, so that performing what was read gives the same state
    /// each time.
    ///
    /// - Throws: Every fault.
    package static func decodeSeveral(
        _ node: JSONNode, within limits: DirectorLimits? = nil
    ) throws(RepresentationError) -> [SectionDraft] {
        try decoding(within: limits) { faults in
            if node.kind == .object, let list = node["sections"] {
                node.checkListMembers("sections", &faults)
                return decodeList(list, &faults)
            }
            if node.kind == .array { return decodeList(node, &faults) }
            return decode(node, &faults).map { [$0.resolved] }
        }
    }

    /// The schema of a section's identifier.
    static var identifierSchema: JSONSchema {
        .string(minLength: 1, maxLength: IdentifierTemplate.maximumIdentifierLength)
    }

    static func decodeIdentifier(_ node: JSONNode, _ faults: inout FaultList) -> String? {
        let identifier = node.decodeString(&faults)
        if let detail = identifier.flatMap(fault(inIdentifier:)) { faults.append(node, detail) }
        return identifier
    }

    static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [SectionDraft]? {
        guard node.kind == .array else {
            faults.append(node, expected: "an array of sections")
            return nil
        }
        var drafts: [SectionDraft] = []
        for element in node.elements where !faults.isFull {
            if let detail = faults.reading.takeSection() {
                faults.append(node, detail)
                break
            }
            if let draft = decode(element, &faults) { drafts.append(draft.resolved) }
        }
        return drafts
    }

    /// The draft with a random identifier where it has none.
    var resolved: SectionDraft {
        var draft = resolvingRows ?? self
        if draft.identifier == nil { draft.identifier = RandomIdentifier.uuid() }
        return draft
    }

    /// The draft with a random identifier for each row that has none; nil where it needs none.
    private var resolvingRows: SectionDraft? {
        guard let rows, rows.contains(where: \.values.identifier.isEmpty) else { return nil }
        var draft = self
        draft.rows = rows.map(\.resolved)
        return draft
    }

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> SectionDraft? {
        guard node.isObject("a section", &faults) else { return nil }
        var draft = SectionDraft(identifier: nil)
        var values = SectionAttributes.Values()
        var (next, hasAttributes) = (0, false)
        for member in node.members where !draft.set(member, &faults) {
            if SectionAttributes.fields.decode(member, into: &values, from: &next, &faults) {
                hasAttributes = true
            } else {
                appendUnknown(member, &faults)
            }
        }
        if hasAttributes { draft.attributes = SectionAttributes(values) }
        if draft.rows != nil, let elements = node["elements"], !elements.isNull {
            faults.append(elements, "a section has elements or rows, not both")
        }
        return draft
    }

    /// A section's attributes with a merge patch applied, and what else the patch has.
    fileprivate init(patch: JSONNode, of section: Section, _ faults: inout FaultList) {
        self.init(identifier: nil, attributes: section.attributes)
        var values = section.attributes.values
        var hasAttributes = false
        for member in patch.members where !set(member, &faults) {
            if SectionAttributes.fields.patch(member, into: &values, initial: SectionAttributes.Values(), &faults) {
                hasAttributes = true
            } else if !member.value.isNull {
                SectionDraft.appendUnknown(member, &faults)
            }
        }
        if hasAttributes, values != section.attributes.values { attributes = SectionAttributes(values) }
        if rows != nil, let elements = patch["elements"], !elements.isNull {
            faults.append(elements, "a section has elements or rows, not both")
        }
    }

    /// Takes a member that is no attribute; false for any other. Null is as good as leaving it out.
    private mutating func set(_ member: JSONNode.Member, _ faults: inout FaultList) -> Bool {
        if member.isNamed(Section.identifierMember.name) {
            if !member.value.isNull { identifier = SectionDraft.decodeIdentifier(member.value, &faults) }
            return true
        }
        if member.isNamed(Section.rowsMember.name) {
            if !member.value.isNull { rows = RowDraft.decodeList(member.value, &faults) ?? [] }
            return true
        }
        guard member.isNamed(Section.elementsMember.name) else { return false }
        if !member.value.isNull { elements = ElementDraft.decodeList(member.value, &faults) ?? [] }
        return true
    }

    private static func appendUnknown(_ member: JSONNode.Member, _ faults: inout FaultList) {
        switch member.name {
        case "count":
            // What was read with `?elements=false` must not empty the section when it is put back.
            faults.append(
                member.value, "count stands for elements that were left out of a read; send elements instead")
        default:
            let known = Section.members.filter { $0.use != .refused }.map(\.name)
            JSONNode.appendUnknown(member, of: "a section", known: known, &faults)
        }
    }

    /// Appends the draft as a section.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        if let identifier {
            writer.key("id")
            writer.string(identifier)
        }
        SectionAttributes.fields.encodeMembers(of: attributes.values, to: &writer)
        if let rows {
            writer.key("rows")
            writer.array { writer in for row in rows { row.encode(to: &writer) } }
        } else {
            writer.key("elements")
            writer.array { writer in for element in elements { element.encode(to: &writer) } }
        }
        writer.endObject()
    }
}

/// A section's attributes with a merge patch applied, and the elements or rows where the patch has them.
struct SectionPatch {
    let identifier: String
    let attributes: SectionAttributes
    let elements: [ElementDraft]?
    let rows: [RowDraft]?

    /// Applies a patch to the JSON form of a section without its elements and rows.
    ///
    /// - Complexity: O(*n*) in the length of the patch.
    init(_ patch: JSONValue, of section: Section, within limits: DirectorLimits? = nil) throws(RepresentationError) {
        let root = patch.document.root
        if let identifier = root["id"], identifier.isNull {
            throw RepresentationError([Fault(pointer: "/id", detail: "a section's id can be changed, not removed")])
        }
        guard root.kind == .object else { throw RepresentationError.notPatch }
        // What the patch does not have is neither written nor read: a title may be as long as a request.
        let draft = try decoding(within: limits) { faults in SectionDraft(patch: root, of: section, &faults) }
        let keepsRows = section.rows != nil && root["rows"] == nil
        if keepsRows, let elements = root["elements"], !elements.isNull {
            let detail = "the section has rows; \"rows\": null beside the elements removes them"
            throw RepresentationError([Fault(pointer: "/elements", detail: detail)])
        }
        identifier = draft.identifier ?? section.identifier
        attributes = draft.attributes
        elements = root["elements"] == nil || keepsRows ? nil : draft.elements
        rows = root["rows"] == nil ? nil : draft.rows
        let removesRows = section.rows != nil && root["rows"]?.isNull == true
        replacesContent = elements != nil || rows != nil || removesRows
    }

    /// The patch with random identifiers for its new rows without one; nil if there are none.
    ///
    /// - Complexity: O(*n*) in the length of the patch's text.
    fileprivate static func resolvingRows(_ patch: JSONValue) -> JSONValue? {
        let root = patch.document.root
        func needsIdentifier(_ row: JSONNode) -> Bool { row.kind == .object && row["id"].map(\.isNull) ?? true }
        guard root.kind == .object, let rows = root["rows"], rows.kind == .array,
            rows.elements.contains(where: needsIdentifier)
        else { return nil }
        return JSONValue { writer in
            writer.object { writer in
                for member in root.members {
                    writer.key(member.name)
                    guard member.isNamed("rows") else {
                        writer.raw(member.value.text)
                        continue
                    }
                    writer.array { writer in
                        for row in rows.elements {
                            guard needsIdentifier(row) else {
                                writer.raw(row.text)
                                continue
                            }
                            writer.object { writer in
                                writer.member("id", RandomIdentifier.uuid())
                                for member in row.members where !member.isNamed("id") {
                                    writer.key(member.name)
                                    writer.raw(member.value.text)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Whether the section gets other elements, or other rows.
    let replacesContent: Bool
}

extension SectionDraft: IdentifiedDraft {
    /// A section without an identifier keeps the identifier of the replaced section.
    var resolvedWhenPut: SectionDraft? { resolvingRows }

    static func resolved(_ patch: JSONValue) -> JSONValue? { SectionPatch.resolvingRows(patch) }
}
