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

    /// Appends the section with the number of its elements in their place, as `count`.
    package func encodeCounted(to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            writer.key("count")
            writer.int(count)
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
        attributes.encodeMembers(to: &writer)
    }
}

/// Writes a section with its elements in pieces. A value: a copy goes on from the same place.
struct SectionEncoder: Sendable {
    private var section: Section?
    private var elements: PersistentList<Element>.Iterator

    /// Begins with the section's first byte.
    init(_ section: Section) {
        self.section = section
        elements = section.list.makeIterator()
    }

    /// Goes on until the writer holds so many bytes, or an element more; returns whether the section is complete.
    ///
    /// - Complexity: O(*k*) in the bytes that are written.
    mutating func write(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        if let section = section.take() {
            section.encodeStart(to: &writer)
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

extension SectionAttributes {
    func encodeMembers(to writer: inout JSONWriter) {
        let texts = [
            ("headerTitle", headerTitle), ("footerTitle", footerTitle), ("headerView", headerView),
            ("footerView", footerView), ("indexTitle", indexTitle),
        ]
        for case (let name, let text?) in texts {
            writer.key(name)
            writer.string(text)
        }
        writer.key("isCollapsed")
        writer.bool(isCollapsed)
        if let sectionInsets {
            writer.key("sectionInsets")
            sectionInsets.encode(to: &writer)
        }
        let lengths = [
            ("minimumInteritemSpacing", minimumInteritemSpacing), ("minimumLineSpacing", minimumLineSpacing),
        ]
        for case (let name, let length?) in lengths {
            writer.key(name)
            writer.double(length)
        }
    }
}

extension SectionDraft {
    private static let members = [
        "id", "headerTitle", "footerTitle", "headerView", "footerView", "isCollapsed", "indexTitle", "sectionInsets",
        "minimumInteritemSpacing", "minimumLineSpacing", "elements",
    ]

    /// Reads a section. Elements that are left out are none; so is an `id` that is left out.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> SectionDraft {
        try decoding { decode(node, &$0) }
    }

    /// Reads one section, an array of sections, or a list as a read has answered it, `{"sections": […]}`.
    ///
    /// A section without an `id` is given a random UUID here, so that performing what was read gives the same state
    /// each time.
    ///
    /// - Throws: Every fault.
    package static func decodeSeveral(_ node: JSONNode) throws(RepresentationError) -> [SectionDraft] {
        try decoding { faults in
            if node.kind == .object, let list = node["sections"] {
                node.checkListMembers("sections", &faults)
                return decodeList(list, &faults)
            }
            if node.kind == .array { return decodeList(node, &faults) }
            return decode(node, &faults).map { [$0.resolved] }
        }
    }

    static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [SectionDraft]? {
        guard node.kind == .array else {
            faults.append(node, expected: "an array of sections")
            return nil
        }
        var drafts: [SectionDraft] = []
        for element in node.elements where !faults.isFull {
            if let draft = decode(element, &faults) { drafts.append(draft.resolved) }
        }
        return drafts
    }

    /// The draft with a random identifier where it has none.
    var resolved: SectionDraft {
        var draft = self
        if draft.identifier == nil { draft.identifier = RandomIdentifier.uuid() }
        return draft
    }

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> SectionDraft? {
        guard node.isObject("a section", &faults) else { return nil }
        var fields = Fields()
        for member in node.members {
            if !fields.set(member, &faults) {
                JSONNode.appendUnknown(member, of: "a section", known: members, &faults)
            }
        }
        return SectionDraft(identifier: fields.identifier, attributes: fields.attributes, elements: fields.elements)
    }

    /// Appends the draft as a section.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        if let identifier {
            writer.key("id")
            writer.string(identifier)
        }
        attributes.encodeMembers(to: &writer)
        writer.key("elements")
        writer.beginArray()
        for element in elements { element.encode(to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    /// What has been read of a section so far.
    private struct Fields {
        var identifier: String?
        var texts: [String: String] = [:]
        var isCollapsed = false
        var sectionInsets: EdgeInsets?
        var minimumInteritemSpacing: Double?
        var minimumLineSpacing: Double?
        var elements: [ElementDraft] = []

        var attributes: SectionAttributes {
            SectionAttributes(
                headerTitle: texts["headerTitle"], footerTitle: texts["footerTitle"],
                headerView: texts["headerView"], footerView: texts["footerView"],
                isCollapsed: isCollapsed, indexTitle: texts["indexTitle"],
                sectionInsets: sectionInsets, minimumInteritemSpacing: minimumInteritemSpacing,
                minimumLineSpacing: minimumLineSpacing)
        }

        /// Takes a member; false for one that sections do not have. Null is as good as leaving a member out.
        mutating func set(_ member: JSONNode.Member, _ faults: inout FaultList) -> Bool {
            let name = member.name
            let value = member.value
            switch name {
            case "count":
                // What was read with `?elements=false` must not empty the section when it is put back.
                faults.append(value, "count stands for elements that were left out of a read; send elements instead")
            case "rows":
                faults.append(value, "row configurations are not supported yet; send elements")
            case "id", "headerTitle", "footerTitle", "headerView", "footerView", "isCollapsed", "indexTitle",
                "sectionInsets", "minimumInteritemSpacing", "minimumLineSpacing", "elements":
                if !value.isNull { read(name, value, &faults) }
            default:
                return false
            }
            return true
        }

        private mutating func read(_ name: String, _ value: JSONNode, _ faults: inout FaultList) {
            switch name {
            case "id":
                identifier = value.decodeString(&faults)
                if let detail = identifier.flatMap(SectionDraft.fault(inIdentifier:)) { faults.append(value, detail) }
            case "headerView", "footerView": texts[name] = value.decodeName(&faults)
            case "isCollapsed": isCollapsed = value.decodeBool(&faults) ?? false
            case "sectionInsets": sectionInsets = EdgeInsets.decode(value, &faults)
            case "minimumInteritemSpacing": minimumInteritemSpacing = value.decodeLength(&faults)
            case "minimumLineSpacing": minimumLineSpacing = value.decodeLength(&faults)
            case "elements": elements = ElementDraft.decodeList(value, &faults) ?? []
            default: texts[name] = value.decodeString(&faults)
            }
        }
    }
}

/// A section's attributes with a merge patch applied, and the elements where the patch has them.
struct SectionPatch {
    let identifier: String
    let attributes: SectionAttributes
    let elements: [ElementDraft]?

    /// Applies a patch to the JSON form of a section without its elements.
    init(_ patch: JSONValue, of section: Section) throws(RepresentationError) {
        let root = patch.document.root
        guard root.kind == .object else {
            throw RepresentationError([Fault(pointer: "", detail: "expected a merge patch, an object")])
        }
        if let identifier = root["id"], identifier.isNull {
            throw RepresentationError([Fault(pointer: "/id", detail: "a section's id can be changed, not removed")])
        }
        var writer = JSONWriter()
        section.encode(to: &writer, includingElements: false)
        let form: JSONValue
        do {
            form = try JSONValue(parsing: writer.bytes)
        } catch {
            throw RepresentationError([Fault(pointer: "", detail: error.description)])
        }
        let draft = try SectionDraft.decode(form.merging(root).document.root)
        identifier = draft.identifier ?? section.identifier
        attributes = draft.attributes
        elements = root["elements"] == nil ? nil : draft.elements
    }
}
