import ListDiff

/// A director on a server: the calls that read and change it.
///
/// Making one sends nothing. Mutations change the working state; subscribers see it after
/// ``reload(animations:cause:)``, or at once where the mutation is sent with `WriteOptions.reload`.
public struct RemoteDirector: Sendable {
    let client: Callboard
    /// The director's name.
    public let name: String

    func path(_ segments: String...) -> [String] { ["directors", name] + segments }

    /// Reads what the director is.
    public func describe() async throws -> Answer<DirectorDescription> {
        try await client.send(Call("GET", path())) { (answer) throws(RepresentationError) in
            try DirectorDescription(answer)
        }
    }

    /// Creates the director, or redefines it; its content stays where the kind does.
    @discardableResult
    public func define(
        kind: DirectorDescription.Kind, properties: JSONObject = JSONObject(), _ options: WriteOptions = WriteOptions()
    ) async throws -> Answer<DirectorDescription> {
        var body: JSONObject = ["kind": .string(kind.rawValue)]
        if !properties.isEmpty { body["properties"] = .object(properties) }
        return try await client.send(Call("PUT", path(), body: .object(body), options: options)) {
            (answer) throws(RepresentationError) in try DirectorDescription(answer)
        }
    }

    /// Changes properties: a merge patch (RFC 7396), so `null` takes one back to its default.
    @discardableResult
    public func updateProperties(
        _ patch: JSONObject, _ options: WriteOptions = WriteOptions()
    ) async throws -> Answer<DirectorDescription> {
        let call = Call(
            "PATCH", path(), body: ["properties": .object(patch)], contentType: "application/merge-patch+json",
            options: options)
        return try await client.send(call) { (answer) throws(RepresentationError) in try DirectorDescription(answer) }
    }

    /// Deletes the director; its streams end.
    public func delete(_ options: WriteOptions = WriteOptions()) async throws {
        try await client.send(Call("DELETE", path(), options: options))
    }

    /// Publishes the working state and answers the changeset that subscribers get; empty where nothing changed.
    ///
    /// - Parameters:
    ///   - animations: how what is published is to be shown, by the kind of operation.
    ///   - cause: the reload's name in the changeset, as in ``WriteOptions/cause``.
    @discardableResult
    public func reload(animations: ListAnimations = [:], cause: String? = nil) async throws -> RemoteChangeset {
        let body: JSON? = animations.isEmpty ? nil : ["animations": animations.json]
        return try await client.send(Call("POST", path("reload"), body: body, options: WriteOptions(cause: cause))) {
            (answer) throws(RepresentationError) in try RemoteChangeset(answer)
        }.value
    }

    /// Publishes the working state and returns the numbers of changes: the first changeset of a long list is as long as
    /// the list, and few callers need it.
    ///
    /// - Returns: The published version, and how many operations of each kind led to it by their names on the wire.
    package func reloadCounting() async throws -> (version: Int, changes: [String: Int]) {
        let call = Call("POST", path("reload"), query: [("elements", "false")])
        return try await client.send(call) { (answer) throws(RepresentationError) in
            var changes: [String: Int] = [:]
            let members = try answer.member("changes")
            for member in try members.object().members {
                changes[member.name] = try members.member(member.name).position()
            }
            return (try answer.member("version").position(), changes)
        }.value
    }

    /// Tells subscribers to show cells again in place.
    ///
    /// - Parameter paths: which places of the published list; nil is every visible cell.
    public func refresh(_ paths: [ElementPath]? = nil) async throws {
        let body = paths.map { paths -> JSON in
            let places = paths.map { path -> JSON in
                [.number(JSONNumber(path.section)), .number(JSONNumber(path.element))]
            }
            return ["indexPaths": .array(places)]
        }
        try await client.send(Call("POST", path("refresh"), body: body))
    }

    /// Tells subscribers to bring an element of the published list into view.
    ///
    /// - Parameters:
    ///   - element: The element; nil for the section's first.
    ///   - section: The element's section.
    ///   - position: Where in what is visible it is to be.
    ///   - isAnimated: Whether the lists move there visibly.
    public func scroll(
        to element: ListAddress? = nil, in section: ListAddress, at position: ScrollCommand.Position = .none,
        isAnimated: Bool = true
    ) async throws {
        var place: JSONObject = ["section": .string(section.text)]
        if let element { place["element"] = .string(element.text) }
        let body: JSON = [
            "to": .object(place), "position": .string(position.rawValue), "animated": .bool(isAnimated),
        ]
        try await client.send(Call("POST", path("scroll"), body: body))
    }

    /// The retained changesets after a version, in order.
    public func changesets(since version: Int) async throws -> [RemoteChangeset] {
        let call = Call("GET", path("changesets"), query: [("since", "\(version)")])
        return try await client.send(call) { (answer) throws(RepresentationError) in
            try answer.member("changesets").map { (item) throws(RepresentationError) in try RemoteChangeset(item) }
        }.value
    }

    /// One changeset that spans two retained versions.
    public func changeset(from: Int, to: Int) async throws -> RemoteChangeset {
        let call = Call("GET", path("changesets"), query: [("from", "\(from)"), ("to", "\(to)")])
        return try await client.send(call) { (answer) throws(RepresentationError) in
            try RemoteChangeset(answer)
        }.value
    }

    /// The director's events: the published state, then what changes, for as long as the sequence is read.
    public func events(_ options: StreamOptions = StreamOptions()) -> EventStream {
        client.stream(path("changesets"), query: options.query, options)
    }

    /// The director's published list, kept up to date for as long as the sequence is read.
    ///
    /// It always begins with a whole snapshot, whatever `options` say of snapshot and resumption.
    ///
    /// - Parameters:
    ///   - options: The options of the stream.
    ///   - selection: What the server is to send of the list; the whole list unless given.
    public func list(
        _ options: StreamOptions = StreamOptions(), selecting selection: ListSelection = ListSelection()
    ) -> LiveList {
        list(options, selecting: selection, startingWith: nil)
    }

    /// The same, going on after a list that is here already, if there is one.
    func list(
        _ options: StreamOptions, selecting selection: ListSelection, startingWith list: RemoteList?
    ) -> LiveList {
        var options = options
        options.snapshot = .full
        options.lastEventID = list.map { "\($0.epoch)-\($0.version)" }
        let stream = client.stream(path("changesets"), query: options.query + selection.query, options)
        return LiveList(stream: stream, reconnect: options.reconnect, start: list)
    }
}
