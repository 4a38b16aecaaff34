import CCurl
import Reactor
import Synchronization

/// Sends requests with libcurl and returns whole answers, on one event loop.
///
/// The loop should be none that serves requests: a TLS handshake keeps it for about a millisecond. Connections are kept
/// and used again; over TLS a target that speaks HTTP/2 gets it. Requests to one target are bounded and wait in line
/// (see `SendQueue`), and names are looked up elsewhere, so that a target that is slow, or hangs, delays nobody else's.
/// No request is sent twice: whoever wants to repeat one sends it again.
///
/// `shutdown` has to be called before the loop is stopped.
package actor HTTPClient: CurlDriver {
    /// The loop that the client lives on.
    package nonisolated let loop: EventLoop

    private nonisolated let published = Mutex(HTTPClientStatistics())
    private let rules: (any AddressRules)?
    private let resolver: any Resolver
    private let configuration: HTTPClientConfiguration
    private(set) lazy var multi = CurlMulti(loop: loop, owner: self, maxConnections: configuration.maxConnections)
    private var queue: SendQueue
    private var lookUps: LookUpTable
    private var sends: [UInt64: Send] = [:]
    private var active: [UnsafeMutableRawPointer: UInt64] = [:]
    private var idleHandles: [CurlEasy] = []
    private var lastID: UInt64 = 0
    private var isShutDown = false
    private var counts = HTTPClientStatistics()

    /// A request that has no answer yet.
    private final class Send {
        let request: ClientRequest
        let continuation: CheckedContinuation<Result<ClientResponse, ClientFailure>, Never>
        var phase = ClientFailure.Phase.queue
        var timer: ScheduledTimer?
        var work: (easy: CurlEasy, transfer: AnswerTransfer)?

        init(
            _ request: ClientRequest,
            _ continuation: CheckedContinuation<Result<ClientResponse, ClientFailure>, Never>
        ) {
            self.request = request
            self.continuation = continuation
        }
    }

    /// Makes a client that has not sent anything; from any thread.
    ///
    /// - Parameters:
    ///   - loop: The loop to live on.
    ///   - rules: Which addresses may be connected to; nil for all, where whoever sends requests decides where they go.
    ///   - resolver: Finds the addresses of names.
    ///   - configuration: The bounds and times.
    /// - Throws: What libcurl lacks.
    package init(
        loop: EventLoop, rules: (any AddressRules)?, resolver: any Resolver = SystemResolver(),
        configuration: HTTPClientConfiguration
    ) throws(HTTPClientError) {
        if configuration.trust == nil { try CurlLibrary.prepare() } else { try CurlLibrary.prepareForOpenSSL() }
        self.loop = loop
        self.rules = rules
        self.resolver = resolver
        self.configuration = configuration
        queue = SendQueue(limits: configuration)
        lookUps = LookUpTable(lifetime: configuration.resolutionLifetime)
    }

    /// Its counts and its present load, a moment ago; from any thread.
    package nonisolated var statistics: HTTPClientStatistics { published.withLock { $0 } }

    // MARK: Sending

    /// Sends a request once, and returns its answer, whatever the status, or why there is none.
    ///
    /// Redirects are not followed. Cancelling the calling task gives the request up.
    package func send(_ request: ClientRequest) async -> Result<ClientResponse, ClientFailure> {
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { begin(id, Send(request, $0)) }
        } onCancel: {
            // Behind `begin`, which this turn of the loop runs.
            loop.execute { self.assumeIsolated { $0.end(id, with: .failure(.cancelled)) } }
        }
    }

    private func begin(_ id: UInt64, _ send: Send) {
        if let failure = reasonNotToSend(id, send.request) {
            counts.failed += 1
            publishStatistics()
            return send.continuation.resume(returning: .failure(failure))
        }
        sends[id] = send
        send.timer = loop.schedule(after: send.request.timeout) { [self] in assumeIsolated { $0.expire(id) } }
        startWhatMay()
    }

    /// Checks what can be checked at once, and takes a place in the line.
    private func reasonNotToSend(_ id: UInt64, _ request: ClientRequest) -> ClientFailure? {
        if isShutDown { return .shutDown }
        if let field = request.fields.first(where: { !$0.isValid }) { return .invalidField(name: field.name) }
        do throws(AddressRefusal) {
            if case .address(let address) = request.url.target.host {
                try rules?.check(address, of: request.url.target.host)
            }
        } catch {
            return .refused(error)
        }
        return queue.add(id, SendQueue.Entry(request)).map {
            .queueFull(target: "\(request.url.target)", limit: $0)
        }
    }

    private func startWhatMay() {
        while let id = queue.next() {
            guard let send = sends[id] else { continue }
            switch send.request.url.target.host {
            case .address(let address): connect(id, send, to: [address])
            case .name(let name): lookUp(name, for: id, send)
            }
        }
        publishStatistics()
    }

    private func expire(_ id: UInt64) {
        guard let send = sends[id] else { return }
        if let work = send.work { send.phase = work.easy.hasConnected ? .answer : .connection }
        let failure = ClientFailure.timedOut(after: send.request.timeout, during: send.phase)
        end(id, with: send.work.map { $0.transfer.outcome(failure, of: $0.easy) } ?? .failure(failure))
    }

    /// Ends a request, whatever has become of it, and lets the next ones go. Unknown ones have ended before.
    private func end(_ id: UInt64, with result: Result<ClientResponse, ClientFailure>) {
        guard let send = sends.removeValue(forKey: id) else { return }
        send.timer?.cancel()
        if let work = send.work {
            active[work.easy.handle] = nil
            multi.remove(work.easy)
            work.easy.reset()
            if idleHandles.count < 4 * configuration.concurrencyPerTarget { idleHandles.append(work.easy) }
        }
        queue.remove(id)
        switch result {
        case .success: counts.answered += 1
        case .failure: counts.failed += 1
        }
        send.continuation.resume(returning: result)
        startWhatMay()
    }

    // MARK: Addresses

    private func lookUp(_ name: String, for id: UInt64, _ send: Send) {
        send.phase = .lookUp
        switch lookUps.addresses(of: name, for: id, now: loop.now) {
        case .known(let addresses):
            connect(id, send, to: addresses)
        case .underWay:
            break
        case .needed:
            Task {
                do throws(ResolutionError) {
                    resolved(name, .success(try await resolver.resolve(name)))
                } catch {
                    resolved(name, .failure(error))
                }
            }
        }
    }

    private func resolved(_ name: String, _ result: Result<[IPAddress], ResolutionError>) {
        let checked = check(name, result)
        for id in lookUps.finish(name, addresses: try? checked.get(), now: loop.now) {
            guard let send = sends[id] else { continue }
            switch checked {
            case .success(let addresses): connect(id, send, to: addresses)
            case .failure(let failure): end(id, with: .failure(failure))
            }
        }
        publishStatistics()
    }

    /// One address that is refused refuses the name: which one a connection would take is not for chance to decide.
    private func check(
        _ name: String, _ result: Result<[IPAddress], ResolutionError>
    ) -> Result<[IPAddress], ClientFailure> {
        switch result {
        case .failure(let error):
            return .failure(.unresolved(host: name, reason: error.description))
        case .success(let addresses):
            do throws(AddressRefusal) {
                for address in addresses { try rules?.check(address, of: .name(name)) }
            } catch {
                return .failure(.refused(error))
            }
            return addresses.isEmpty
                ? .failure(.unresolved(host: name, reason: "it has no address")) : .success(addresses)
        }
    }

    // MARK: libcurl

    private func connect(_ id: UInt64, _ send: Send, to addresses: [IPAddress]) {
        let easy = idleHandles.popLast() ?? CurlEasy()
        let transfer = AnswerTransfer(
            target: send.request.url.target, addresses: addresses, rules: rules,
            maxAnswerBytes: configuration.maxAnswerBytes, on: multi)
        transfer.wantsFields = send.request.wantsFields
        transfer.takesStatusAlone = send.request.takesStatusAlone
        let isAccepted = easy.prepare(CurlOptions(send.request, to: addresses, configuration), for: transfer)
        assert(isAccepted, "libcurl refuses a request to \(send.request.url)")
        send.phase = .connection
        send.work = (easy, transfer)
        active[easy.handle] = id
        multi.add(easy)
    }

    func take(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let id = active[easy], let work = sends[id]?.work else { return }
        end(id, with: work.transfer.outcome(code, of: work.easy))
    }

    func transfersWereTaken() {
        publishStatistics()
    }

    private func publishStatistics() {
        counts.waiting = queue.waiting
        counts.underWay = queue.underWay
        counts.connectionsOpened = multi.connectionsOpened
        published.withLock { $0 = counts }
    }

    /// Fails what is under way and waiting, closes every connection, and takes no more requests.
    package func shutdown() {
        isShutDown = true
        for id in sends.keys.sorted() { end(id, with: .failure(.shutDown)) }
        idleHandles = []
        multi.close()
        publishStatistics()
    }
}

extension HTTPClient {
    /// Called by the loop; the token is the socket's number.
    package nonisolated func ready(_ readiness: Readiness, token: UInt64) {
        socketIsReady(readiness, token: token)
    }
}

extension CurlOptions {
    /// Makes the options of a request to addresses that were checked.
    init(_ request: ClientRequest, to addresses: [IPAddress], _ configuration: HTTPClientConfiguration) {
        let target = request.url.target
        self.init(url: request.url.text, method: request.method, body: request.body)
        let defaults = [
            HeaderField("User-Agent", "callboard/\(configuration.version)"),
            HeaderField("Content-Type", "application/json"), HeaderField("Accept", "application/json"),
        ]
        fields = defaults.filter { !request.names($0.name) } + request.fields
        if case .name(let name) = target.host { self.addresses = (name, target.port, addresses) }
        connectTimeout = configuration.connectTimeout
        idleLifetime = configuration.idleConnectionLifetime
        if target.isSecure, let hook = configuration.trust { trust = .hook(hook) }
        resumesSessions = configuration.resumesSessions
    }
}

extension ClientRequest {
    /// Whether it has a field of a name, in any case.
    fileprivate func names(_ name: String) -> Bool {
        fields.contains { $0.name.count == name.count && $0.name.lowercased() == name.lowercased() }
    }
}
