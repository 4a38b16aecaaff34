import Reactor
import Synchronization

/// Sends requests with libcurl, on one event loop.
///
/// The loop should be none that serves requests: a TLS handshake keeps it for about a millisecond. Connections are kept
/// and used again; over TLS a target that speaks HTTP/2 gets it. Requests to one target are bounded and wait in line
/// (see `SendQueue`), and names are looked up elsewhere, so that a target that is slow, or hangs, delays nobody else's.
///
/// `shutdown` has to be called before the loop is stopped.
package actor CurlTransport: LoopActor, WebhookTransport {
    /// The loop that the transport lives on.
    package nonisolated let loop: EventLoop
    /// The loop's executor.

    private nonisolated let published = Mutex(TransportStatistics())
    private let policy: AddressPolicy
    private let resolver: any Resolver
    private let configuration: TransportConfiguration
    private let trust: TrustStore
    private lazy var multi = CurlMulti(loop: loop, owner: self, maxConnections: configuration.maxConnections)
    private var queue: SendQueue
    private var lookUps: LookUpTable
    private var sends: [UInt64: Send] = [:]
    private var active: [UnsafeMutableRawPointer: UInt64] = [:]
    private var idleHandles: [CurlEasy] = []
    private var lastID: UInt64 = 0
    private var isShutDown = false
    private var counts = TransportStatistics()

    /// A request that has no answer yet.
    private final class Send {
        let request: WebhookRequest
        let continuation: CheckedContinuation<Result<WebhookResponse, WebhookFailure>, Never>
        var phase = WebhookFailure.Phase.queue
        var timer: ScheduledTimer?
        var work: (easy: CurlEasy, transfer: CurlTransfer)?

        init(
            _ request: WebhookRequest,
            _ continuation: CheckedContinuation<Result<WebhookResponse, WebhookFailure>, Never>
        ) {
            self.request = request
            self.continuation = continuation
        }
    }

    /// Makes a transport that has not sent anything; from any thread.
    ///
    /// Throws where the file of certificates cannot be read, or the library is not what it should be.
    package init(
        loop: EventLoop, policy: AddressPolicy, resolver: any Resolver = SystemResolver(),
        configuration: TransportConfiguration
    ) throws(TransportError) {
        try CurlLibrary.prepare()
        trust = try TrustStore(addingFile: configuration.caFile)
        self.loop = loop
        self.policy = policy
        self.resolver = resolver
        self.configuration = configuration
        queue = SendQueue(limits: configuration)
        lookUps = LookUpTable(lifetime: configuration.resolutionLifetime)
    }

    /// Its counts and its present load, a moment ago; from any thread.
    package nonisolated var statistics: TransportStatistics { published.withLock { $0 } }

    // MARK: Sending

    /// Sends one POST; see `WebhookTransport`.
    package func send(_ request: WebhookRequest) async -> Result<WebhookResponse, WebhookFailure> {
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
    private func reasonNotToSend(_ id: UInt64, _ request: WebhookRequest) -> WebhookFailure? {
        if isShutDown { return .shutDown }
        if let field = request.fields.first(where: { !$0.isValid }) { return .invalidField(name: field.name) }
        do throws(AddressRefusal) {
            try policy.check(request.url)
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
        let failure = WebhookFailure.timedOut(after: send.request.timeout, during: send.phase)
        end(id, with: send.work.map { $0.transfer.outcome(failure, of: $0.easy) } ?? .failure(failure))
    }

    /// Ends a request, whatever has become of it, and lets the next ones go. Unknown ones have ended before.
    private func end(_ id: UInt64, with result: Result<WebhookResponse, WebhookFailure>) {
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
    ) -> Result<[IPAddress], WebhookFailure> {
        switch result {
        case .failure(let error):
            return .failure(.unresolved(host: name, reason: error.description))
        case .success(let addresses):
            do throws(AddressRefusal) {
                for address in addresses { try policy.check(address, of: .name(name)) }
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
        let transfer = CurlTransfer(
            request: send.request, addresses: addresses, policy: policy,
            maxAnswerBytes: configuration.maxAnswerBytes, multi: multi)
        easy.prepare(transfer, on: multi, trust: trust, configuration: configuration)
        send.phase = .connection
        send.work = (easy, transfer)
        active[easy.handle] = id
        multi.add(easy)
    }

    /// Takes what libcurl has come to the end of; after each time that it was given something to do.
    private func finishTransfers() {
        while let (pointer, code) = multi.nextDone() {
            guard let id = active[pointer], let work = sends[id]?.work else { continue }
            end(id, with: work.transfer.outcome(code, of: work.easy))
        }
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

extension CurlTransport: EventHandler {
    /// Called by the loop; the token is the socket's number.
    package nonisolated func ready(_ readiness: Readiness, token: UInt64) {
        assumeIsolated { transport in
            transport.multi.socket(Int32(truncatingIfNeeded: token), isReady: readiness)
            transport.finishTransfers()
        }
    }
}

extension CurlTransport: CurlTimerOwner {
    nonisolated func curlTimerFired() {
        assumeIsolated { transport in
            transport.multi.timerFired()
            transport.finishTransfers()
        }
    }
}
