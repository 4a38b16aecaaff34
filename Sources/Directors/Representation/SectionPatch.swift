import JSONValues
import ListDiff

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
    static func resolvingRows(_ patch: JSONValue) -> JSONValue? {
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
