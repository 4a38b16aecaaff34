extension RemoteDirector {
    /// Reads all cell adapters as the server describes them.
    public func adapters() async throws -> [JSON] {
        try await client.send(Call("GET", path("adapters"))) { (answer) throws(RepresentationError) in
            try answer.member("adapters").elements().map(\.value)
        }.value
    }

    /// Reads the cell adapter of a model as the server describes it.
    public func adapter(model: String) async throws -> JSON {
        try await client.send(Call("GET", path("adapters", model))) { $0.value }.value
    }

    /// Registers a cell adapter; registering the same again does nothing.
    @discardableResult
    public func register(
        _ adapter: CellAdapterDraft, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("PUT", path("adapters", adapter.model), body: adapter.json, options: options))
    }

    /// Removes the cell adapter of a model.
    @discardableResult
    public func removeAdapter(model: String, _ options: WriteOptions = WriteOptions()) async throws -> Revision? {
        try await client.send(Call("DELETE", path("adapters", model), options: options))
    }

    /// Reads a header or footer adapter as the server describes it.
    public func headerFooterAdapter(view: String) async throws -> JSON {
        try await client.send(Call("GET", path("header-footer-adapters", view))) { $0.value }.value
    }

    /// Registers a header or footer adapter.
    ///
    /// - Parameters:
    ///   - view: the view's name.
    ///   - attributes: what the adapter takes besides its view's name, such as `reuseIdentifier`.
    ///   - options: whether to publish, and the revision that must be current.
    @discardableResult
    public func registerHeaderFooter(
        view: String, attributes: JSONObject = JSONObject(), _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        var body = attributes
        body["view"] = .string(view)
        return try await client.send(
            Call("PUT", path("header-footer-adapters", view), body: .object(body), options: options))
    }

    /// Removes a header or footer adapter.
    @discardableResult
    public func removeHeaderFooterAdapter(
        view: String, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("DELETE", path("header-footer-adapters", view), options: options))
    }

    /// Reads a variable.
    public func variable(_ name: String) async throws -> JSON {
        try await client.send(Call("GET", path("variables", name))) { $0.value }.value
    }

    /// Sets a variable.
    @discardableResult
    public func setVariable(
        _ name: String, to value: JSON, _ options: WriteOptions = WriteOptions()
    ) async throws -> Revision? {
        try await client.send(Call("PUT", path("variables", name), body: value, options: options))
    }

    /// Removes a variable.
    @discardableResult
    public func removeVariable(_ name: String, _ options: WriteOptions = WriteOptions()) async throws -> Revision? {
        try await client.send(Call("DELETE", path("variables", name), options: options))
    }
}
