import JSONValues

/// The cost of reading elements' identifiers and contents: an adapter of a thousand bytes may read hundreds of parts of
/// each element of ten bytes.
extension BatchWork {
    /// The cost of each pointer that is followed in an element.
    static let pointer = 32
    /// The cost of each literal and placeholder of an identifier's template.
    static let templatePart = 8
    /// The cost of each byte that a template puts into an identifier by itself.
    static let literalByte = 4

    /// The cost of reading one element.
    static func units(reading template: IdentifierTemplate, _ content: [JSONPointer]) -> Int {
        pointer * (template.pointers.count + content.count) + templatePart * template.partCount
            + literalByte * template.literalLength
    }
}

extension AdapterRegistry {
    /// The cost of reading elements.
    ///
    /// - Complexity: O(1) if there is one adapter, else O(*n*) in the number of elements.
    func units(reading drafts: [ElementDraft]) -> Int {
        if cells.count == 1, let adapter = cells.values.first { return drafts.count * adapter.readingUnits }
        return drafts.reduce(0) { $0 + units(reading: $1.model, count: 1) }
    }

    func units(reading draft: SectionDraft) -> Int {
        (draft.rows ?? []).reduce(units(reading: draft.elements)) { $0 + units(reading: $1) }
    }

    func units(reading draft: RowDraft) -> Int {
        units(reading: draft.values.model, count: draft.elements.count)
    }

    /// The cost of a section's patch, which brings in all elements of the lists that it has.
    func units(readingSection patch: JSONNode) -> Int {
        let elements = (patch["elements"]?.list ?? []).reduce(0) { $0 + units(reading: $1["model"]?.string, count: 1) }
        return (patch["rows"]?.list ?? []).reduce(elements) { $0 + units(readingPatch: $1, of: nil) }
    }

    /// The cost of a row's patch: that of the elements that it has, or of the row's own if their model is another one.
    func units(readingPatch patch: JSONNode, of row: Row?) -> Int {
        let model = patch["model"]?.string ?? row?.settings.values.model
        let own = patch["model"] == nil ? 0 : row?.elements.count ?? 0
        return units(reading: model, count: patch["elements"]?.list.count ?? own)
    }

    private func units(reading model: String?, count: Int) -> Int {
        guard count > 0 else { return 0 }
        let adapter = model.map { cells[$0] } ?? (cells.count == 1 ? cells.values.first : nil)
        return count * (adapter?.readingUnits ?? 0)
    }
}

extension JSONNode {
    /// The elements of an array, none of another value.
    fileprivate var list: [JSONNode] { kind == .array ? Array(elements) : [] }
}
