extension RemoteDirector {
    private static let mergePatch = "application/merge-patch+json"

    private static func positions(_ positions: [Int]) -> (String, String) {
        ("at", positions.map(String.init).joined(separator: ","))
    }

    private static func body(_ sections: [SectionDraft]) -> JSON { .array(sections.map(\.json)) }

    /// Reads a part of the sections.
    ///
    /// - Parameters:
    ///   - offset: the position of the first section that is read.
    ///   - limit: the most sections that are read.
    ///   - elements: whether the sections bring their elements.
    ///   - state: the working or the published state.
    public func sections(
        offset: Int = 0, limit: Int = 100, elements: Bool = true, state: ListState = .working
    ) async throws -> Answer<Page<RemoteSection>> {
        var query = [("offset", "\(offset)"), ("limit", "\(limit)")] + state.query
        if !elements { query.append(("elements", "false")) }
        return try await client.send(Call("GET", path("sections"), query: query)) {
            (answer) throws(RepresentationError) in
            try Page(answer, member: "sections") { (item) throws(RepresentationError) in try RemoteSection(item) }
        }
    }

    /// Reads one section.
    public func section(
        _ address: ListAddress, elements: Bool = true, state: ListState = .working
    ) async throws -> Answer<RemoteSection> {
        let query = state.query + (elements ? [] : [("elements", "false")])
        return try await client.send(Call("GET", path("sections", address.text), query: query)) {
            (answer) throws(RepresentationError) in try RemoteSection(answer)
        }
    }

    /// Replaces all sections.
    @discardableResult
    public func setSections(
        _ sections: [SectionDraft], _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("PUT", path("sections"), body: Self.body(sections), options: options))
    }

    /// Adds sections at a position, or at the end.
    @discardableResult
    public func addSections(
        _ sections: [SectionDraft], at position: Int? = nil, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let query = position.map { [("at", "\($0)")] } ?? []
        return try await client.send(
            Call("POST", path("sections"), query: query, body: Self.body(sections), options: options))
    }

    /// Removes all sections.
    @discardableResult
    public func removeAllSections(_ options: WriteOptions = WriteOptions()) async throws -> Revision? {
        try await client.send(Call("DELETE", path("sections"), options: options))
    }

    /// Removes the sections at these positions.
    @discardableResult
    public func removeSections(
        at positions: [Int], _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path("sections"), query: [Self.positions(positions)], options: options))
    }

    /// Creates or replaces a section.
    @discardableResult
    public func setSection(
        _ section: SectionDraft, at address: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("PUT", path("sections", address.text), body: section.json, options: options))
    }

    /// Changes a section's members: a merge patch (RFC 7396).
    @discardableResult
    public func updateSection(
        _ address: ListAddress, _ patch: JSONObject, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let path = path("sections", address.text)
        return try await client.send(
            Call("PATCH", path, body: .object(patch), contentType: Self.mergePatch, options: options))
    }

    /// Removes a section.
    @discardableResult
    public func removeSection(
        _ address: ListAddress, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path("sections", address.text), options: options))
    }

    /// Moves a section to another position.
    @discardableResult
    public func moveSection(
        from: Int, to: Int, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let body: JSON = ["from": .number(JSONNumber(from)), "to": .number(JSONNumber(to))]
        return try await client.send(Call("POST", path("sections:move"), body: body, options: options))
    }

    /// Lets two sections change places.
    @discardableResult
    public func swapSections(
        at position: Int, with other: Int, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        let body: JSON = ["at": .number(JSONNumber(position)), "with": .number(JSONNumber(other))]
        return try await client.send(Call("POST", path("sections:swap"), body: body, options: options))
    }
}
