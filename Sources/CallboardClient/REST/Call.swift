import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request in the API's own terms.
struct Call: Sendable {
    let method: String
    /// The path's segments below `/v1`, not yet encoded.
    let path: [String]
    var query: [(String, String)] = []
    /// The body's text.
    var body: Data?
    var contentType = "application/json"
    var options = WriteOptions()
    /// Whether the representation that the server would answer is of use.
    var wantsAnswer = true
    /// Fields besides those that all calls have.
    var fields: [(String, String)] = []
    /// How many seconds may pass without a byte; nil is what the client is set to.
    var timeout: Double?

    init(
        _ method: String, _ path: [String], query: [(String, String)] = [], body: JSON? = nil,
        contentType: String = "application/json", options: WriteOptions = WriteOptions()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body.map { Data($0.utf8) }
        self.contentType = contentType
        self.options = options
    }
}

extension TransportResponse {
    /// How long to wait before the request is sent again; nil where the answer does not ask for that.
    ///
    /// A request refused as too much (429) was not carried out (RFC 6585, section 4). A 503 may come from something
    /// that does not know, so only what is safe to repeat is sent again: a read, or what has an `Idempotency-Key`. The
    /// same goes for a 409 with `Retry-After`: the request with that key is still being carried out.
    fileprivate func pause(before request: URLRequest) -> Duration? {
        let isSafe = request.isRead || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
        return switch status {
        case 429: max(retryAfter ?? .seconds(1), .milliseconds(100))
        case 409 where isSafe, 503 where isSafe: retryAfter.map { max($0, .milliseconds(100)) }
        default: nil
        }
    }
}

extension Callboard {
    /// Sends a call and reads its answer.
    func send<Value: Sendable>(
        _ call: Call, _ read: (JSONReader) throws(RepresentationError) -> Value
    ) async throws -> Answer<Value> {
        let (response, body) = try await exchange(call)
        do {
            let value = try read(JSONReader(body.isEmpty ? .null : JSON(parsing: body)))
            return Answer(value: value, revision: response.fields["etag"].flatMap(Revision.init(entityTag:)))
        } catch {
            throw ClientError.unexpectedAnswer(status: response.status, reason: "\(error)")
        }
    }

    /// Sends a call and reads the body of its answer, where that is no problem; again where the server asks for it.
    private func exchange(_ call: Call) async throws -> (TransportResponse, [UInt8]) {
        // The same key goes with each attempt.
        let request = try request(for: call)
        var patience = configuration.patience
        while true {
            let (response, body) = try await exchange(request)
            if (200..<300).contains(response.status) { return (response, body) }
            guard let pause = response.pause(before: request), pause <= patience else {
                throw ClientError(status: response.status, fields: response.fields, body: body)
            }
            patience -= pause
            try await Task.sleep(for: pause)
        }
    }

    private func exchange(_ request: URLRequest) async throws -> (TransportResponse, [UInt8]) {
        let limit = configuration.maximumAnswerLength
        do {
            let response = try await tokens.open(request, over: transport, bufferLimit: limit).response
            return (response, try await response.collect(limit: limit))
        } catch let failure as TokenFailure {
            throw failure.error
        } catch TransportError.overrun(let limit) {
            throw ClientError.answerTooLong(limit: limit)
        } catch TransportError.untrusted(let reason) {
            throw ClientError.untrusted(url: server.absoluteString, reason: reason)
        } catch let error as TransportError {
            throw ClientError.unreachable(url: server.absoluteString, reason: error.description)
        }
    }

    /// Sends a call whose answer does not matter.
    @discardableResult
    func send(_ call: Call) async throws -> Revision? {
        var call = call
        call.wantsAnswer = false
        return try await send(call) { _ in true }.revision
    }

    func stream(_ path: [String], query: [(String, String)], _ options: StreamOptions) -> EventStream {
        var call = Call("GET", path, query: query)
        call.contentType = ""
        // An address that was accepted by `init` can always be extended by an encoded path.
        var request = (try? self.request(for: call)) ?? URLRequest(url: server)
        request.setValue("text/event-stream, application/problem+json", forHTTPHeaderField: "Accept")
        request.timeoutInterval = 30 * 24 * 3600
        let environment = EventStreamConnection.Environment(
            transport: transport, tokens: tokens, clock: ContinuousClock(), random: { Double.random(in: 0..<1) },
            registry: streams)
        return EventStream { [request] in
            EventStreamConnection(request: request, options: options, environment: environment)
        }
    }

    func request(for call: Call) throws -> URLRequest {
        var query = call.query
        if call.options.reload { query.append(("reload", "true")) }
        var address = server.absoluteString
        while address.hasSuffix("/") { address.removeLast() }
        address += "/v1/" + call.path.map(Callboard.encode).joined(separator: "/")
        if !query.isEmpty {
            let pairs = query.map { "\(Callboard.encode($0.0))=\(Callboard.encode($0.1))" }
            address += "?" + pairs.joined(separator: "&")
        }
        guard let url = URL(string: address) else {
            throw ClientError.invalidServer("\"\(address)\" is not an address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = call.method
        request.timeoutInterval = max(call.timeout ?? 0, configuration.timeout / .seconds(1))
        for (name, value) in configuration.fields { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue("application/json, application/problem+json", forHTTPHeaderField: "Accept")
        if let revision = call.options.ifMatch {
            request.setValue(revision.entityTag, forHTTPHeaderField: "If-Match")
        }
        if let cause = call.options.cause {
            guard (1...64).contains(cause.utf8.count), cause.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw ClientError.invalidCause(cause)
            }
            request.setValue(cause, forHTTPHeaderField: "Callboard-Cause")
        }
        if call.method == "POST" {
            let key = call.options.idempotencyKey ?? UUID().uuidString.lowercased()
            guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw ClientError.invalidIdempotencyKey(key)
            }
            request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
        }
        if !call.wantsAnswer { request.setValue("return=minimal", forHTTPHeaderField: "Prefer") }
        for (name, value) in call.fields { request.setValue(value, forHTTPHeaderField: name) }
        if let body = call.body {
            request.httpBody = body
            request.setValue(call.contentType, forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    /// Encodes a path segment or a part of a query: everything but unreserved characters (RFC 3986, section 2.3),
    /// and the `:` and `@` that the API's own paths have.
    private static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~:@".contains(character) {
                encoded.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
