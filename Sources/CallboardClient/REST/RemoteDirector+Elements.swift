/// Elements of a section, or of a model row where a section has rows: each call takes the row's address as `row`. A
/// section of rows is refused with status 409 where no row is named.
extension RemoteDirector {
    private func path(elementsOf section: ListAddress, _ row: ListAddress?, _ rest: String...) -> [String] {
        path("sections", section.text) + (row.map { ["rows", $0.text] } ?? []) + ["elements"] + rest
    }

    private func path(_ action: String, of section: ListAddress, _ row: ListAddress?) -> [String] {
        path("sections", section.text) + (row.map { ["rows", $0.text] } ?? []) + ["elements:\(action)"]
    }

    private static func body(_ elements: [ElementDraft]) -> JSON { .array(elements.map(\.json)) }

    private static func read(
        _ row: ListAddress?
    ) -> (JSONReader) throws(RepresentationError) -> RemoteElement {
        { (answer) throws(RepresentationError) in
            row == nil ? try RemoteElement(answer) : try RemoteElement(inRow: answer)
        }
    }

    /// Reads a part of the elements of a section or a row.
    public func elements(
        in section: ListAddress, row: ListAddress? = nil, offset: Int = 0, limit: Int = 100, state: ListState = .working
    ) async throws -> Answer<Page<RemoteElement>> {
        let query = [("offset", "\(offset)"), ("limit", "\(limit)")] + state.query
        return try await client.send(Call("GET", path(elementsOf: section, row), query: query)) {
            (answer) throws(RepresentationError) in try Page(answer, member: "elements", Self.read(row))
        }
    }

    /// Reads one element.
    public func element(
        _ address: ListAddress, in section: ListAddress, row: ListAddress? = nil, state: ListState = .working
    ) async throws -> Answer<RemoteElement> {
        try await client.send(
            Call("GET", path(elementsOf: section, row, address.text), query: state.query), Self.read(row))
    }

    /// Replaces the elements of a section or a row.
    @discardableResult
    public func setElements(
        _ elements: [ElementDraft], in section: ListAddress, row: ListAddress? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(
            Call("PUT", path(elementsOf: section, row), body: Self.body(elements), options: options))
    }

    /// Adds elements to a section or a row at a position, or at the end.
    @discardableResult
    public func addElements(
        _ elements: [ElementDraft], in section: ListAddress, row: ListAddress? = nil, at position: Int? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = position.map { [("at", "\($0)")] } ?? []
        return try await client.send(
            Call("POST", path(elementsOf: section, row), query: query, body: Self.body(elements), options: options))
    }

    /// Adds elements at the end of a section, or of a new one where none is named.
    @discardableResult
    public func appendElements(
        _ elements: [ElementDraft], toSection section: ListAddress? = nil, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = section.map { [("section", $0.text)] } ?? []
        return try await client.send(
            Call("POST", path("elements"), query: query, body: Self.body(elements), options: options))
    }

    /// Removes the elements of a section or a row.
    @discardableResult
    public func removeAllElements(
        in section: ListAddress, row: ListAddress? = nil, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path(elementsOf: section, row), options: options))
    }

    /// Removes the elements at these positions of a section or a row.
    @discardableResult
    public func removeElements(
        at positions: [Int], in section: ListAddress, row: ListAddress? = nil, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = [("at", positions.map(String.init).joined(separator: ","))]
        return try await client.send(Call("DELETE", path(elementsOf: section, row), query: query, options: options))
    }

    /// Replaces an element, which may change its identifier.
    @discardableResult
    public func setElement(
        _ element: ElementDraft, at address: ListAddress, in section: ListAddress, row: ListAddress? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Answer<RemoteElement> {
        let path = path(elementsOf: section, row, address.text)
        return try await client.send(Call("PUT", path, body: element.json, options: options), Self.read(row))
    }

    /// Changes an element's value: a merge patch (RFC 7396).
    @discardableResult
    public func updateElement(
        _ address: ListAddress, in section: ListAddress, row: ListAddress? = nil, _ patch: JSON,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Answer<RemoteElement> {
        let call = Call(
            "PATCH", path(elementsOf: section, row, address.text), body: patch,
            contentType: "application/merge-patch+json", options: options)
        return try await client.send(call, Self.read(row))
    }

    /// Removes an element.
    @discardableResult
    public func removeElement(
        _ address: ListAddress, in section: ListAddress, row: ListAddress? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path(elementsOf: section, row, address.text), options: options))
    }

    /// Moves an element to another position of its section or row, or to one of another section or row.
    @discardableResult
    public func moveElement(
        in section: ListAddress, row: ListAddress? = nil, from: Int, to: Int, ofSection target: ListAddress? = nil,
        ofRow targetRow: ListAddress? = nil, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        var body: JSONObject = ["from": .number(JSONNumber(from)), "to": .number(JSONNumber(to))]
        body["toSection"] = target.map { .string($0.text) }
        body["toRow"] = targetRow.map { .string($0.text) }
        return try await client.send(
            Call("POST", path("move", of: section, row), body: .object(body), options: options))
    }

    /// Moves an element to a list of another director: both directors are changed, or neither.
    ///
    /// A request whose answer is lost is repeated with its key, and moves the element once. It takes the right `mutate` on both
    /// directors, and `read` on this one.
    ///
    /// - Parameters:
    ///   - address: The element.
    ///   - section: The section of this director that it is in.
    ///   - row: The model row that it is in; nil for a section of elements.
    ///   - director: The other director, whose adapter of the element's model gives the element's identifier there.
    ///   - target: The section there.
    ///   - targetRow: The model row there; nil for a section of elements.
    ///   - place: The element's place there; nil for the end.
    ///   - options: They are about this director, but for `reload`, which publishes both.
    /// - Returns: The revision of this director.
    /// - Throws: ``ClientError``: either director's refusal, status 409 where different nodes own the two.
    @discardableResult
    public func transferElement(
        _ address: ListAddress, in section: ListAddress, row: ListAddress? = nil, to director: String,
        section target: ListAddress, row targetRow: ListAddress? = nil, at place: ListAddress? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        var body: JSONObject = [
            "from": .string(address.text), "toDirector": .string(director), "toSection": .string(target.text),
        ]
        body["toRow"] = targetRow.map { .string($0.text) }
        body["at"] = place.map { .string($0.text) }
        return try await client.send(
            Call("POST", path("transfer", of: section, row), body: .object(body), options: options))
    }

    /// Lets two elements of a section or a row change places.
    @discardableResult
    public func swapElements(
        in section: ListAddress, row: ListAddress? = nil, at position: Int, with other: Int,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let body: JSON = ["at": .number(JSONNumber(position)), "with": .number(JSONNumber(other))]
        return try await client.send(Call("POST", path("swap", of: section, row), body: body, options: options))
    }
}
