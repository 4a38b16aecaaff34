import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One run of a stream: dials, reads, and dials again; pulled by its iterator, idle in between.
actor EventStreamConnection {
    /// The external dependencies, which tests replace.
    struct Environment: Sendable {
        var transport: any ClientTransport
        var tokens = TokenSource(.none)
        var clock: any Clock<Duration>
        /// A random number from 0 up to 1.
        var random: @Sendable () -> Double
        /// The client's streams, of which the connection is one.
        var registry = StreamRegistry()
    }

    private enum Phase {
        /// To be dialled after the delay.
        case idle(delay: Duration)
        /// The request is to be sent.
        case dialling
        /// A connection is there.
        case open(any ByteStream, SilenceTimer)
        /// To end with this error.
        case failed(any Error)
        /// Over for good.
        case over
    }

    private let request: URLRequest
    private let options: StreamOptions
    private let environment: Environment
    /// Its number in the registry.
    private let number: Int
    private var phase = Phase.idle(delay: .zero)
    /// Sleeps until the next attempt.
    private var sleeper: Task<Void, any Error>?
    private var parser: ServerSentEventParser
    private var pending: [StreamEvent] = []
    private var nextPending = 0
    private var failures = 0
    /// The server's word that ended the connection before.
    private var lastEnd: StreamEnd?
    /// Whether there has been a connection.
    private var hasConnected = false
    /// The token of the connection.
    private var token: HeldToken?
    /// The token that the server ended the stream for.
    private var refusedToken: HeldToken?
    /// How many connections in a row the server ended because of their token, with nothing but the list before.
    private var renewals = 0

    init(request: URLRequest, options: StreamOptions, environment: Environment) {
        self.request = request
        self.options = options
        self.environment = environment
        parser = ServerSentEventParser(lastEventID: options.lastEventID ?? "")
        number = environment.registry.number()
        environment.registry.add(self, number)
    }

    deinit {
        environment.registry.remove(number)
        if case .open(let body, _) = phase { body.close() }
    }

    /// The next event, or nil once the stream is over; to be called by one task at a time.
    func next() async throws -> StreamEvent? {
        while true {
            if let event = takePending() { return event }
            do {
                switch phase {
                case .over: return nil
                case .idle(let delay): try await wait(delay)
                case .dialling: try await dial()
                case .open(let body, let timer): try await read(body, timer)
                case .failed(let error): throw error
                }
            } catch {
                leave(for: .over)
                throw error
            }
        }
    }

    /// Goes to another phase, and closes the connection if there is one.
    private func leave(for next: Phase) {
        if case .open(let body, let timer) = phase {
            timer.stop()
            body.close()
        }
        phase = next
    }

    /// Dials at once if the next attempt is waited for, or if the connection has brought nothing for a third of the silence
    /// that is allowed: it may be dead without a sign of it.
    func wakeUp() {
        switch phase {
        case .idle:
            phase = .idle(delay: .zero)
            sleeper?.cancel()
        case .open(_, let timer):
            let quiet = timer.quietTime
            if quiet > options.reconnect.silenceLimit / 3 { interrupt(.silent(quiet), delay: .zero) }
        case .dialling, .failed, .over: break
        }
    }

    /// Drops the connection, the last event id and the events that have not been taken, and dials after `delay`.
    func restart(after delay: Duration) {
        switch phase {
        case .over, .failed: return
        case .idle, .dialling, .open: break
        }
        parser = freshParser(after: "")
        pending.removeAll()
        nextPending = 0
        interrupt(.restarted, delay: delay)
    }

    private func takePending() -> StreamEvent? {
        guard nextPending < pending.count else { return nil }
        let event = pending[nextPending]
        nextPending += 1
        if case .end(let end) = event { handle(end) }
        return event
    }

    private func emit(_ events: [StreamEvent]) {
        pending.removeFirst(nextPending)
        nextPending = 0
        pending += events
    }

    private func freshParser(after id: String) -> ServerSentEventParser {
        ServerSentEventParser(
            lastEventID: id, maximumLineLength: options.maximumEventSize, maximumEventSize: options.maximumEventSize)
    }
}

extension EventStreamConnection {
    private func wait(_ delay: Duration) async throws {
        if delay > .zero {
            let sleeper = Task { [clock = environment.clock] in try await clock.sleep(for: delay) }
            self.sleeper = sleeper
            // It ends early when it is woken up.
            _ = await withTaskCancellationHandler(operation: { await sleeper.result }, onCancel: { sleeper.cancel() })
            self.sleeper = nil
        }
        try Task.checkCancellation()
        phase = .dialling
        emit([.connection(.connecting(attempt: failures + 1))])
    }

    private func dial() async throws {
        let response: TransportResponse
        do {
            response = try await open()
        } catch let failure as TokenFailure {
            // What fails at once is a mistake of the program more often than a provider that is out of reach.
            guard hasConnected else { throw failure.error }
            return try fail(.noToken(reason: "\(failure.error)"), throwing: failure.error)
        } catch TransportError.untrusted(let reason) where !hasConnected {
            // A mistake of whoever set the client up; later, the server's certificate may be about to be replaced.
            throw ClientError.untrusted(url: request.url?.absoluteString ?? "", reason: reason)
        } catch let error as TransportError {
            return try fail(.connection(reason: error.description))
        } catch let error as StreamSilence {
            return try fail(.silent(error.duration))
        }
        guard response.status == 200 else { return try await handleRefusal(response) }
        let type = MediaType(response.fields["content-type"])
        guard type == .eventStream else {
            response.body.close()
            return try fail(.notAStream(type: type.description))
        }
        parser = freshParser(after: parser.lastEventID)
        phase = .open(
            response.body, SilenceTimer(clock: environment.clock, limit: options.reconnect.silenceLimit))
        (lastEnd, hasConnected) = (nil, true)
        emit([.connection(.open)])
    }

    private func open() async throws -> TransportResponse {
        var request = request
        if !parser.lastEventID.isEmpty { request.setValue(parser.lastEventID, forHTTPHeaderField: "Last-Event-ID") }
        let (environment, limit, refused) = (environment, options.bufferLimit, refusedToken)
        let answer = try await environment.clock.within(options.reconnect.connectTimeout) { [request] in
            try await environment.tokens.open(
                request, over: environment.transport, bufferLimit: limit, after: refused)
        }
        (token, refusedToken) = (answer.token, nil)
        return answer.response
    }

    private func handleRefusal(_ response: TransportResponse) async throws {
        if let refusal = await ownRefusal(response) {
            // A director that is not there after the server has ended its stream has been deleted.
            guard refusal.status == 404, lastEnd != nil else { throw refusal }
            phase = .over
            return
        }
        try fail(.refused(status: response.status), atLeast: response.retryAfter)
    }

    /// The error of an answer that says for good that there is no stream; nil where trying again may help.
    ///
    /// No status by itself is the server's word, since anything between may give it, 204 (HTML, section 9.2.2) included.
    private func ownRefusal(_ response: TransportResponse) async -> ClientError? {
        defer { response.body.close() }
        guard MediaType(response.fields["content-type"]) == .problem else { return nil }
        // Who sends a head and never a body is no Callboard server either.
        let error = try? await environment.clock.within(options.reconnect.connectTimeout) {
            try await ClientError(refusal: response)
        }
        return error?.isFinal == true ? error : nil
    }

    private func read(_ body: any ByteStream, _ timer: SilenceTimer) async throws {
        do {
            timer.begin { body.close() }
            defer { timer.end() }
            guard let piece = try await body.next() else { return try fail(.closedByServer) }
            let events = try parser.consume(piece)
            // Only a stream that has brought something counts as working: a proxy that accepts and closes does not.
            if !events.isEmpty { failures = 0 }
            emit(events.map(StreamEvent.init))
            if pending.contains(where: \.isAfterBeginning) { renewals = 0 }
        } catch let error as ServerSentEventError {
            try fail(.outOfBounds(error))
        } catch TransportError.overrun {
            try fail(.overrun)
        } catch is TransportError where isRestarting {
            return
        } catch is TransportError where timer.hasExpired {
            try fail(.silent(options.reconnect.silenceLimit))
        } catch let error as TransportError {
            try fail(.connection(reason: error.description))
        }
    }

    /// Whether the connection was dropped by `restart()` while a piece was awaited.
    private var isRestarting: Bool {
        if case .open = phase { false } else { true }
    }

    /// Gives the connection up and plans the next, unless the attempts are used up.
    ///
    /// - Parameter error: what is thrown then; nil is ``ClientError/unreachable(url:reason:)``.
    private func fail(
        _ interruption: StreamInterruption, atLeast least: Duration? = nil, throwing error: (any Error)? = nil
    ) throws {
        // The server has said that the director is gone, and there is nobody to say that it has come back.
        guard lastEnd?.cause != .deleted else {
            phase = .over
            return
        }
        if let maximum = options.reconnect.maximumAttempts, failures + 1 >= maximum {
            let url = request.url?.absoluteString ?? ""
            throw error ?? ClientError.unreachable(url: url, reason: interruption.description)
        }
        let delay = delayBeforeDialling()
        failures += 1
        interrupt(interruption, delay: max(delay, least ?? .zero))
    }

    private func interrupt(_ interruption: StreamInterruption, delay: Duration) {
        leave(for: .idle(delay: delay))
        emit([.connection(.lost(interruption, retryIn: delay))])
    }

    /// Acts on the server's word that the stream is over, as its reader takes it.
    ///
    /// The server is asked again, since only its next answer tells whether the director is gone for good; but not where
    /// the credential is at fault and there is no other.
    private func handle(_ end: StreamEnd) {
        let fault = ClientError(end)
        // Where the stream carries several directors, the others go on, or the server closes the connection. An end
        // that names no director and is about the credential is for all of them.
        guard directorCount <= 1 || fault != nil && end.director == nil else { return }
        pending.removeSubrange(nextPending...)
        if let fault {
            guard case .unauthorized = fault, environment.tokens.canRenew else { return stop(throwing: fault) }
            refusedToken = token
            // A server that ends the stream for every new token is asked less and less often, whatever its `retry:`.
            let delay = options.reconnect.delay(failures: renewals, serverDelay: nil, random: environment.random())
            renewals += 1
            return interrupt(.ended(end), delay: max(delayBeforeDialling(), delay))
        }
        lastEnd = end
        interrupt(.ended(end), delay: delayBeforeDialling())
    }

    private func stop(throwing error: ClientError) {
        leave(for: .failed(error))
    }

    private func delayBeforeDialling() -> Duration {
        let asked = parser.retryMilliseconds.map { Duration.milliseconds(min($0, 3_600_000)) }
        return options.reconnect.delay(failures: failures, serverDelay: asked, random: environment.random())
    }

    /// How many directors the stream carries, as far as its address says.
    private var directorCount: Int {
        guard let url = request.url else { return 1 }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return items.filter { $0.name == "director" }.count
    }
}

extension StreamEvent {
    /// Whether the server sends it only to a stream that has been running for a while, or in which something happened.
    fileprivate var isAfterBeginning: Bool {
        switch self {
        case .changeset, .heartbeat, .refresh, .scroll, .definition: true
        default: false
        }
    }
}
