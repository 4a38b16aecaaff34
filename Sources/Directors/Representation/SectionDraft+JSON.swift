import JSONValues
import ListDiff

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
    init(patch: JSONNode, of section: Section, _ faults: inout FaultList) {
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

extension SectionDraft: IdentifiedDraft {
    /// A section without an identifier keeps the identifier of the replaced section.
    var resolvedWhenPut: SectionDraft? { resolvingRows }

    static func resolved(_ patch: JSONValue) -> JSONValue? { SectionPatch.resolvingRows(patch) }
}
