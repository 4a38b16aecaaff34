extension RemoteDirector {
    private func path(elementsOf section: ListAddress, _ rest: String...) -> [String] {
        path("sections", section.text, "elements") + rest
    }

    private static func body(_ elements: [ElementDraft]) -> JSON { .array(elements.map(\.json)) }

    /// Reads a part of a section's elements.
    public func elements(
        in section: ListAddress, offset: Int = 0, limit: Int = 100, state: ListState = .working
    ) async throws -> Answer<Page<RemoteElement>> {
        let query = [("offset", "\(offset)"), ("limit", "\(limit)")] + state.query
        return try await client.send(Call("GET", path(elementsOf: section), query: query)) {
            (answer) throws(RepresentationError) in
            try Page(answer, member: "elements") { (item) throws(RepresentationError) in try RemoteElement(item) }
        }
    }

    /// Reads one element.
    public func element(
        _ address: ListAddress, in section: ListAddress, state: ListState = .working
    ) async throws -> Answer<RemoteElement> {
        try await client.send(Call("GET", path(elementsOf: section, address.text), query: state.query)) {
            (answer) throws(RepresentationError) in try RemoteElement(answer)
        }
    }

    /// Replaces a section's elements.
    @discardableResult
    public func setElements(
        _ elements: [ElementDraft], in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(
            Call("PUT", path(elementsOf: section), body: Self.body(elements), options: options))
    }

    /// Adds elements to a section at a position, or at the end.
    @discardableResult
    public func addElements(
        _ elements: [ElementDraft], in section: ListAddress, at position: Int? = nil,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = position.map { [("at", "\($0)")] } ?? []
        return try await client.send(
            Call("POST", path(elementsOf: section), query: query, body: Self.body(elements), options: options))
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

    /// Removes a section's elements.
    @discardableResult
    public func removeAllElements(
        in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path(elementsOf: section), options: options))
    }

    /// Removes the elements at these positions of a section.
    @discardableResult
    public func removeElements(
        at positions: [Int], in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = [("at", positions.map(String.init).joined(separator: ","))]
        return try await client.send(Call("DELETE", path(elementsOf: section), query: query, options: options))
    }

    /// Replaces an element, which may change its identifier.
    @discardableResult
    public func setElement(
        _ element: ElementDraft, at address: ListAddress, in section: ListAddress,
        _ options: WriteOptions = WriteOptions()
    ) async throws -> Answer<RemoteElement> {
        let path = path(elementsOf: section, address.text)
        return try await client.send(Call("PUT", path, body: element.json, options: options)) {
            (answer) throws(RepresentationError) in try RemoteElement(answer)
        }
    }

    /// Changes an element's value: a merge patch (RFC 7396).
    @discardableResult
    public func updateElement(
        _ address: ListAddress, in section: ListAddress, _ patch: JSON, _ options: WriteOptions = WriteOptions()
    ) async throws -> Answer<RemoteElement> {
        let call = Call(
            "PATCH", path(elementsOf: section, address.text), body: patch,
            contentType: "application/merge-patch+json", options: options)
        return try await client.send(call) { (answer) throws(RepresentationError) in try RemoteElement(answer) }
    }

    /// Removes an element.
    @discardableResult
    public func removeElement(
        _ address: ListAddress, in section: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path(elementsOf: section, address.text), options: options))
    }

    /// Moves an element to another position of its section.
    @discardableResult
    public func moveElement(
        in section: ListAddress, from: Int, to: Int, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let body: JSON = ["from": .number(JSONNumber(from)), "to": .number(JSONNumber(to))]
        return try await client.send(
            Call("POST", path("sections", section.text, "elements:move"), body: body, options: options))
    }

    /// Lets two elements of a section change places.
    @discardableResult
    public func swapElements(
        in section: ListAddress, at position: Int, with other: Int, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let body: JSON = ["at": .number(JSONNumber(position)), "with": .number(JSONNumber(other))]
        return try await client.send(
            Call("POST", path("sections", section.text, "elements:swap"), body: body, options: options))
    }
}
