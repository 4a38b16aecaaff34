import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The calls throw no type: Swift 6.3 crashes where a `catch let error as ClientError` of such a call stands in a loop, and warns
// of it elsewhere.

/// A Callboard server, as its clients see it.
///
/// ```swift
/// let callboard = try Callboard(server: "http://127.0.0.1:8080")
/// let contacts = callboard.director("contacts")
/// try await contacts.addElements([ElementDraft(["name": "Ann"])], in: "people", .reload)
/// ```
///
/// Calls throw ``ClientError``, `CancellationError` where their task was cancelled, and what the provider of a
/// ``Credential`` throws. A value of this type may be
/// used from any number of tasks; copies share their connections.
public struct Callboard: Sendable {
    /// How a client talks to its server.
    public struct Configuration: Sendable {
        /// The longest answer to read, in bytes.
        public var maximumAnswerLength: Int
        /// How long a call may bring nothing, in whole milliseconds.
        public var timeout: Duration
        /// How long a call may wait in all for a server that asks for a later attempt: one that is busy (429), or a 503 with
        /// `Retry-After` where the call is safe to repeat. Zero has such an answer thrown at once.
        public var patience: Duration
        /// Header fields that go with every request, streams included.
        public var fields: [String: String]
        /// The client's credential; it takes the place of an `Authorization` in ``fields``.
        public var credential: Credential

        /// Makes a configuration.
        public init(
            maximumAnswerLength: Int = 256 << 20, timeout: Duration = .seconds(60),
            patience: Duration = .seconds(10), fields: [String: String] = [:], credential: Credential = .none
        ) {
            self.maximumAnswerLength = maximumAnswerLength
            self.timeout = timeout
            self.patience = patience
            self.fields = fields
            self.credential = credential
        }
    }

    /// The server's address; the API's `/v1` lies right below it.
    public let server: URL
    /// How this client talks to the server.
    public let configuration: Configuration
    let transport: any ClientTransport
    let tokens: TokenSource
    let streams = StreamRegistry()

    /// Makes a client; nothing is sent yet.
    ///
    /// - Throws: ``ClientError/invalidServer(_:)`` where the address is not `http://` or `https://` with a host.
    public init(
        server: String, transport: any ClientTransport = URLSessionTransport(),
        configuration: Configuration = Configuration()
    ) throws {
        guard let url = URL(string: server), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty,
            url.query == nil, url.fragment == nil
        else {
            throw ClientError.invalidServer(
                "\"\(server)\" is not a server's address; write it like http://127.0.0.1:8080")
        }
        self.server = url
        self.transport = transport
        self.configuration = configuration
        tokens = TokenSource(configuration.credential)
    }

    /// Has every stream of this client, lists included, connect at once where it waits for its next attempt, and where
    /// its connection has brought nothing for a third of ``ReconnectPolicy/silenceLimit``.
    ///
    /// To be called when there is reason to believe that the network is back, such as when an app comes to the front. A
    /// stream resumes where it was.
    public func reconnect() async {
        for stream in streams.connections { await stream.wakeUp() }
    }

    /// The director of that name; nothing is sent, and it need not exist yet.
    public func director(_ name: String) -> RemoteDirector { RemoteDirector(client: self, name: name) }

    /// Reads a part of the list of directors.
    public func directors(offset: Int = 0, limit: Int = 100) async throws -> Page<DirectorDescription> {
        let call = Call("GET", ["directors"], query: [("offset", "\(offset)"), ("limit", "\(limit)")])
        return try await send(call) { (answer) throws(RepresentationError) in
            try Page(answer, member: "directors") { (item) throws(RepresentationError) in
                try DirectorDescription(item)
            }
        }.value
    }

    /// Reads the whole list of directors, part by part.
    public func allDirectors() async throws -> [DirectorDescription] {
        var directors: [DirectorDescription] = []
        var offset: Int? = 0
        while let start = offset {
            let page = try await self.directors(offset: start, limit: 1000)
            directors += page.items
            offset = page.nextOffset
        }
        return directors
    }

    /// The events of several directors on one connection; see ``RemoteDirector/events(_:)`` for one.
    public func events(directors: [String], _ options: StreamOptions = StreamOptions()) -> EventStream {
        stream(["changesets"], query: directors.map { ("director", $0) } + options.query, options)
    }
}
