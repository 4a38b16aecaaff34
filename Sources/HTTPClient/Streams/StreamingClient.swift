import CCurl
import Reactor

/// Sends requests with libcurl and hands their answers over piece by piece, on an event loop of its own.
///
/// There is no bound on the requests at once: each belongs to somebody who reads it. Redirects are followed, and proxies that
/// the environment names are used. ``finish()`` is called once, when nothing more is to be sent; the client keeps itself
/// until then, and until the last request has ended.
package actor StreamingClient: CurlDriver {
    package nonisolated let loop: EventLoop
    private(set) lazy var multi = CurlMulti(loop: loop, owner: self)
    private let trust: CurlTrust
    private var transfers: [ObjectIdentifier: StreamTransfer] = [:]
    private var handles: [UnsafeMutableRawPointer: StreamHandle] = [:]
    private var isFinishing = false
    private var whole: StreamingClient?

    /// Makes a client, whose loop runs from here on.
    ///
    /// - Parameter authority: The certificates that are trusted, PEM; nil for those that libcurl takes by itself.
    /// - Throws: What libcurl lacks, or the machine.
    package init(trusting authority: [UInt8]?) throws {
        try CurlLibrary.prepare()
        loop = try EventLoop(name: "http client")
        trust = authority.map { .authority($0) } ?? .library
    }

    // MARK: From any thread

    /// Sends a request. The receiver is told what happens to it.
    package nonisolated func begin(_ request: StreamRequest, _ handle: StreamHandle, _ receiver: any StreamReceiver) {
        send { $0.start(request, handle, receiver) }
    }

    /// Goes on with a body that was held back.
    package nonisolated func proceed(_ handle: StreamHandle) {
        handle.isHeld.store(false, ordering: .relaxed)
        later { $0.transfers[ObjectIdentifier(handle)]?.easy.resume() }
    }

    /// Gives a request up; its receiver is told nothing more.
    package nonisolated func cancel(_ handle: StreamHandle) {
        handle.isCancelled.store(true, ordering: .relaxed)
        later { client in
            guard let transfer = client.transfers[ObjectIdentifier(handle)] else { return }
            client.release(transfer, handle)
            client.leaveIfDone()
        }
    }

    /// Ends the client and its loop when the last request has ended.
    package nonisolated func finish() {
        send { client in
            client.isFinishing = true
            client.leaveIfDone()
        }
    }

    /// Runs something on the loop, unless the client has ended.
    private nonisolated func later(_ body: @escaping @Sendable (isolated StreamingClient) -> Void) {
        loop.execute { [weak self] in self?.enter(body) }
    }

    // MARK: On the loop

    private func start(_ request: StreamRequest, _ handle: StreamHandle, _ receiver: any StreamReceiver) {
        guard !handle.isCancelled.load(ordering: .relaxed) else { return }
        whole = self
        let transfer = StreamTransfer(request, handle, receiver, on: multi)
        guard transfer.easy.prepare(CurlOptions(request, trust), for: transfer) else {
            return receiver.end(.connection("libcurl does not take the request"))
        }
        transfers[ObjectIdentifier(handle)] = transfer
        handles[transfer.easy.handle] = handle
        multi.add(transfer.easy)
        watch(transfer, handle, for: request.silence)
    }

    /// Ends a request once no byte has come for as long as it allows; what the reader holds back does not count.
    private func watch(_ transfer: StreamTransfer, _ handle: StreamHandle, for silence: Duration) {
        guard !transfer.isSilent(for: silence.nanoseconds) else {
            release(transfer, handle)
            transfer.endSilent(silence)
            return leaveIfDone()
        }
        // A silence is below 2^63 ns, and so is the time of the machine's clock: their sum does not wrap.
        transfer.silenceTimer = loop.schedule(at: transfer.lastActivity + silence.nanoseconds) { [weak self] in
            self?.enter { client in
                guard let transfer = client.transfers[ObjectIdentifier(handle)] else { return }
                client.watch(transfer, handle, for: silence)
            }
        }
    }

    func take(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let handle = handles[easy], let transfer = transfers[ObjectIdentifier(handle)] else { return }
        release(transfer, handle)
        transfer.end(code)
    }

    func transfersWereTaken() {
        leaveIfDone()
    }

    private func release(_ transfer: StreamTransfer, _ handle: StreamHandle) {
        transfer.silenceTimer?.cancel()
        multi.remove(transfer.easy)
        handles[transfer.easy.handle] = nil
        transfers[ObjectIdentifier(handle)] = nil
    }

    private func leaveIfDone() {
        guard isFinishing, transfers.isEmpty else { return }
        multi.close()
        loop.stop()
        whole = nil
    }

    /// Called by the loop; the token is the socket's number.
    package nonisolated func ready(_ readiness: Readiness, token: UInt64) {
        socketIsReady(readiness, token: token)
    }
}

extension CurlOptions {
    fileprivate init(_ request: StreamRequest, _ trust: CurlTrust) {
        self.init(url: request.url, method: request.method, body: request.body, fields: request.fields)
        if !request.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            omittedFields = ["Content-Type"]
        }
        longContent = request.longContent
        redirects = request.redirects
        usesEnvironment = true
        connectTimeout = min(request.silence, .seconds(300))
        self.trust = trust
    }
}
