/// Operations on elements of a section; where a section has rows, on those of a model row, named by `row`.
extension ListOperation {
    /// Replaces the elements of a section or a row.
    public static func setElements(_ elements: [ElementDraft], in section: ListAddress, row: ListAddress? = nil) -> Self
    {
        Self("setElements", in: section, row: row, ["elements": Self.elements(elements)])
    }

    /// Adds elements to a section or a row at a position, or at the end.
    public static func addElements(
        _ elements: [ElementDraft], in section: ListAddress, row: ListAddress? = nil, at position: Int? = nil
    ) -> Self {
        var members: JSONObject = ["elements": Self.elements(elements)]
        members["at"] = position.map(number)
        return Self("addElements", in: section, row: row, members)
    }

    /// Replaces an element.
    public static func setElement(
        _ element: ListAddress, in section: ListAddress, row: ListAddress? = nil, to value: ElementDraft
    ) -> Self {
        Self("setElement", in: section, row: row, ["element": address(element), "value": value.json])
    }

    /// Changes an element's value: a merge patch (RFC 7396).
    public static func patchElement(
        _ element: ListAddress, in section: ListAddress, row: ListAddress? = nil, _ patch: JSON
    ) -> Self {
        Self("patchElement", in: section, row: row, ["element": address(element), "patch": patch])
    }

    /// Removes an element.
    public static func removeElement(_ element: ListAddress, in section: ListAddress, row: ListAddress? = nil) -> Self {
        Self("removeElement", in: section, row: row, ["element": address(element)])
    }

    /// Removes the elements at these positions of a section or a row.
    public static func removeElements(at positions: [Int], in section: ListAddress, row: ListAddress? = nil) -> Self {
        Self("removeElements", in: section, row: row, ["at": .array(positions.map(number))])
    }

    /// Removes the elements of a section or a row.
    public static func removeAllElements(in section: ListAddress, row: ListAddress? = nil) -> Self {
        Self("removeAllElements", in: section, row: row, [:])
    }

    /// Moves an element in its section or row, or to a position of another one.
    public static func moveElement(
        in section: ListAddress, row: ListAddress? = nil, from: Int, to: Int, ofSection target: ListAddress? = nil,
        ofRow targetRow: ListAddress? = nil
    ) -> Self {
        var members: JSONObject = ["from": number(from), "to": number(to)]
        members["toSection"] = target.map(address)
        members["toRow"] = targetRow.map(address)
        return Self("moveElement", in: section, row: row, members)
    }

    /// Lets two elements of a section or a row change places.
    public static func swapElements(
        in section: ListAddress, row: ListAddress? = nil, at position: Int, with other: Int
    ) -> Self {
        Self("swapElements", in: section, row: row, ["at": number(position), "with": number(other)])
    }
}
