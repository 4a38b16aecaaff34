/// Operations on the row configurations of a section.
extension ListOperation {
    private static func rows(_ value: [RowDraft]) -> JSON { .array(value.map(\.json)) }

    /// Replaces a section's rows.
    public static func setRows(_ rows: [RowDraft], in section: ListAddress) -> Self {
        Self("setRows", in: section, row: nil, ["rows": Self.rows(rows)])
    }

    /// Adds rows to a section at a position, or at the end.
    public static func addRows(_ rows: [RowDraft], in section: ListAddress, at position: Int? = nil) -> Self {
        var members: JSONObject = ["rows": Self.rows(rows)]
        members["at"] = position.map(number)
        return Self("addRows", in: section, row: nil, members)
    }

    /// Creates or replaces a row.
    ///
    /// - Parameters:
    ///   - row: the row's name or position.
    ///   - section: the section that has it.
    ///   - value: what the row becomes.
    ///   - position: where a new row comes to stand; at the end where it is left out.
    public static func setRow(
        _ row: ListAddress, in section: ListAddress, to value: RowDraft, at position: Int? = nil
    ) -> Self {
        var members: JSONObject = ["value": value.json]
        members["at"] = position.map(number)
        return Self("setRow", in: section, row: row, members)
    }

    /// Changes a row's members: a merge patch (RFC 7396).
    public static func patchRow(_ row: ListAddress, in section: ListAddress, _ patch: JSONObject) -> Self {
        Self("patchRow", in: section, row: row, ["patch": .object(patch)])
    }

    /// Removes a row.
    public static func removeRow(_ row: ListAddress, in section: ListAddress) -> Self {
        Self("removeRow", in: section, row: row, [:])
    }

    /// Removes the rows at these positions of a section.
    public static func removeRows(at positions: [Int], in section: ListAddress) -> Self {
        Self("removeRows", in: section, row: nil, ["at": .array(positions.map(number))])
    }

    /// Removes a section's rows.
    public static func removeAllRows(in section: ListAddress) -> Self {
        Self("removeAllRows", in: section, row: nil, [:])
    }

    /// Moves a row in its section, or to a position of another one.
    public static func moveRow(
        in section: ListAddress, from: Int, to: Int, ofSection target: ListAddress? = nil
    ) -> Self {
        var members: JSONObject = ["from": number(from), "to": number(to)]
        members["toSection"] = target.map(address)
        return Self("moveRow", in: section, row: nil, members)
    }

    /// Lets two rows of a section change places.
    public static func swapRows(in section: ListAddress, at position: Int, with other: Int) -> Self {
        Self("swapRows", in: section, row: nil, ["at": number(position), "with": number(other)])
    }
}
