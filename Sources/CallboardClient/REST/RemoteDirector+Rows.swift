import ListDiff

/// Row configurations of a section. The elements of a model row are read and written by the calls for elements, which
/// take the row's address.
extension RemoteDirector {
    private func path(rowsOf section: ListAddress, _ rest: String...) -> [String] {
        path("sections", section.text, "rows") + rest
    }

    private static func body(_ rows: [RowDraft]) -> JSON { .array(rows.map(\.json)) }

    /// Reads a part of a section's rows.
    ///
    /// - Parameters:
    ///   - section: the section.
    ///   - offset: the position of the first row that is read.
    ///   - limit: the most rows that are read.
    ///   - elements: whether model rows bring their elements.
    public func rows(
        in section: ListAddress, offset: Int = 0, limit: Int = 100, elements: Bool = true
    ) async throws -> Answer<Page<RemoteRow>> {
        var query = [("offset", "\(offset)"), ("limit", "\(limit)")]
        if !elements { query.append(("elements", "false")) }
        return try await client.send(Call("GET", path(rowsOf: section), query: query)) {
            (answer) throws(RepresentationError) in
            try Page(answer, member: "rows") { (item) throws(RepresentationError) in try RemoteRow(item) }
        }
    }

    /// Reads one row with its place.
    ///
    /// - Parameters:
    ///   - address: the row's name or position.
    ///   - section: the section that has it.
    ///   - elements: whether a model row brings its elements.
    public func row(
        _ address: ListAddress, in section: ListAddress, elements: Bool = true
    ) async throws -> Answer<RemoteRow> {
        let query = elements ? [] : [("elements", "false")]
        return try await client.send(Call("GET", path(rowsOf: section, address.text), query: query)) {
            (answer) throws(RepresentationError) in try RemoteRow(answer)
        }
    }

    /// Replaces a section's rows.
    @discardableResult
    public func setRows(
        _ rows: [RowDraft], in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("PUT", path(rowsOf: section), body: Self.body(rows), options: options))
    }

    /// Adds rows to a section at a position, or at the end.
    @discardableResult
    public func addRows(
        _ rows: [RowDraft], in section: ListAddress, at position: Int? = nil, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = position.map { [("at", "\($0)")] } ?? []
        return try await client.send(
            Call("POST", path(rowsOf: section), query: query, body: Self.body(rows), options: options))
    }

    /// Creates or replaces a row.
    ///
    /// - Parameters:
    ///   - row: what the row becomes.
    ///   - address: the row's name or position.
    ///   - section: the section that has it.
    ///   - position: where a new row comes to stand; at the end where it is left out.
    ///   - options: whether to publish, and the revision that must be current.
    @discardableResult
    public func setRow(
        _ row: RowDraft, at address: ListAddress, in section: ListAddress, position: Int? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = position.map { [("at", "\($0)")] } ?? []
        return try await client.send(
            Call("PUT", path(rowsOf: section, address.text), query: query, body: row.json, options: options))
    }

    /// Changes a row's members: a merge patch (RFC 7396), so `null` takes one away.
    @discardableResult
    public func updateRow(
        _ address: ListAddress, in section: ListAddress, _ patch: JSONObject, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(
            Call(
                "PATCH", path(rowsOf: section, address.text), body: .object(patch),
                contentType: "application/merge-patch+json", options: options))
    }

    /// Removes a row.
    @discardableResult
    public func removeRow(
        _ address: ListAddress, in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path(rowsOf: section, address.text), options: options))
    }

    /// Removes the rows at these positions of a section.
    @discardableResult
    public func removeRows(
        at positions: [Int], in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = [("at", positions.map(String.init).joined(separator: ","))]
        return try await client.send(Call("DELETE", path(rowsOf: section), query: query, options: options))
    }

    /// Removes a section's rows.
    @discardableResult
    public func removeAllRows(
        in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path(rowsOf: section), options: options))
    }

    /// Moves a row to another position of its section, or to one of another section.
    @discardableResult
    public func moveRow(
        in section: ListAddress, from: Int, to: Int, ofSection target: ListAddress? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        var body: JSONObject = ["from": .number(JSONNumber(from)), "to": .number(JSONNumber(to))]
        body["toSection"] = target.map { .string($0.text) }
        let path = path("sections", section.text, "rows:move")
        return try await client.send(Call("POST", path, body: .object(body), options: options))
    }

    /// Lets two rows of a section change places.
    @discardableResult
    public func swapRows(
        in section: ListAddress, at position: Int, with other: Int, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let body: JSON = ["at": .number(JSONNumber(position)), "with": .number(JSONNumber(other))]
        let path = path("sections", section.text, "rows:swap")
        return try await client.send(Call("POST", path, body: body, options: options))
    }

    /// Reads where a row's elements are in the published list.
    public func indexPaths(ofRow address: ListAddress, in section: ListAddress) async throws -> RowIndexPaths {
        try await client.send(Call("GET", path(rowsOf: section, address.text, "index-paths"))) {
            (answer) throws(RepresentationError) in try RowIndexPaths(answer)
        }.value
    }

    /// Tells subscribers to show the cells of these rows again in place.
    public func refresh(rows: [RowAddress]) async throws {
        let body: JSON = ["rows": .array(rows.map(\.json))]
        try await client.send(Call("POST", path("refresh"), body: body))
    }
}

/// Names a row of a director.
public struct RowAddress: Sendable, Hashable {
    /// The row's section.
    public let section: ListAddress
    /// The row in its section.
    public let row: ListAddress

    /// Makes an address.
    public init(section: ListAddress, row: ListAddress) {
        self.section = section
        self.row = row
    }

    var json: JSON { ["section": .string(section.text), "row": .string(row.text)] }
}

/// The places of a row's elements in a published list.
public struct RowIndexPaths: Sendable, Hashable {
    /// The version whose places are meant.
    public let version: Int
    /// The places in the list's order; none where the row shows nothing.
    public let indexPaths: [ElementPath]

    init(_ reader: JSONReader) throws(RepresentationError) {
        version = try reader.member("version").position()
        indexPaths = try reader.member("indexPaths").map { (path) throws(RepresentationError) in
            try ElementPath(path)
        }
    }
}
