import CCurl
import Glibc
import Reactor

/// libcurl's multi handle on an event loop: the loop watches its sockets and keeps its time.
///
/// Lives on the loop's thread. libcurl calls back while it is called; what it calls here only notes what to watch and
/// when to come back, and never calls libcurl in turn. Its answers are taken with `nextDone` afterwards.
final class CurlMulti {
    private let handle: UnsafeMutableRawPointer
    let loop: EventLoop
    private unowned let owner: any CurlDriver
    private var sockets: [curl_socket_t: Registration] = [:]
    private var timer: ScheduledTimer?
    private var isClosed = false
    private(set) var connectionsOpened = 0

    /// Makes a handle whose sockets and timer are reported to `owner`. It has to be closed.
    ///
    /// - Parameter maxConnections: How many connections are kept; 0 for libcurl's own measure.
    init(loop: EventLoop, owner: any CurlDriver, maxConnections: Int = 0) {
        // SAFETY: made here and freed by `close`. It fails only where there is no memory.
        guard let handle = curl_multi_init() else { preconditionFailure("libcurl has no memory for a multi handle") }
        self.handle = handle
        self.loop = loop
        self.owner = owner
        // SAFETY: the handle calls back only while it is called, which is done by this object alone.
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_set_socket_callback(handle, Self.watchSocket, context)
        ccurl_multi_set_timer_callback(handle, Self.setTimer, context)
        ccurl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, maxConnections)
        Self.blockBrokenPipe()
    }

    /// Keeps the signal of a peer that is gone from this thread, the loop's: libcurl leaves it to its caller where it
    /// is not to touch signals, and it would end the process. The write's error tells the same.
    private static func blockBrokenPipe() {
        var signals = sigset_t()
        // SAFETY: the set is filled in and read during the calls.
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    deinit {
        assert(isClosed, "a multi handle was let go of without being closed")
    }

    // MARK: Transfers

    /// Has a configured easy handle begin in a later turn of the loop.
    func add(_ easy: CurlEasy) {
        // SAFETY: the easy handle stays with its transfer until `remove`.
        let result = curl_multi_add_handle(handle, easy.handle)
        precondition(result == CURLM_OK, "libcurl does not take a transfer: \(result)")
    }

    /// Takes an easy handle out, whether its transfer has ended or not; the transfer's callbacks are not called any more.
    func remove(_ easy: CurlEasy) {
        // SAFETY: the handle was added before.
        curl_multi_remove_handle(handle, easy.handle)
    }

    /// Goes on with what a socket is ready for.
    func socket(_ number: curl_socket_t, isReady readiness: Readiness) {
        var events: Int32 = 0
        // A socket that has failed is read and written: the error that comes of it says more than "it has failed".
        if readiness.contains(.readable) || readiness.isClosed { events |= CCURL_CSELECT_IN }
        if readiness.contains(.writable) || readiness.isClosed { events |= CCURL_CSELECT_OUT }
        act(on: number, events: events)
    }

    /// Goes on with what libcurl's timer was set for.
    func timerFired() {
        timer = nil
        act(on: CCURL_SOCKET_TIMEOUT, events: 0)
    }

    private func act(on socket: curl_socket_t, events: Int32) {
        guard !isClosed else { return }
        var running: Int32 = 0
        // SAFETY: on the loop's thread, and not from one of the callbacks, which only take notes.
        curl_multi_socket_action(handle, socket, events, &running)
    }

    /// The next transfer that has ended, by the pointer of its easy handle.
    func nextDone() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        guard !isClosed else { return nil }
        var code = CURLE_OK
        // SAFETY: libcurl stores the result during the call.
        return ccurl_multi_next_done(handle, &code).map { ($0, code) }
    }

    /// Closes all connections and frees the handle. No transfer may be left. Doing it again does nothing.
    func close() {
        guard !isClosed else { return }
        // SAFETY: freed once. Closing connections still calls back for their sockets.
        curl_multi_cleanup(handle)
        isClosed = true
        timer?.cancel()
        timer = nil
        for (number, registration) in sockets { loop.deregister(registration, ofBorrowed: number) }
        sockets = [:]
    }

    // MARK: Callbacks

    private static let watchSocket: ccurl_socket_callback = { _, number, what, context, _ in
        guard let context else { return 0 }
        // SAFETY: the context is the object that is calling libcurl at this moment.
        Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().watch(number, for: what)
        return 0
    }

    private static let setTimer: ccurl_timer_callback = { _, milliseconds, context in
        guard let context else { return 0 }
        // SAFETY: as above.
        Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds)
        return 0
    }

    /// Closes a socket for libcurl; its context is the multi handle's object, which outlives every connection.
    ///
    /// It is not called for every socket: one that is still connecting when its transfer is given up is taken from the
    /// loop (`CURL_POLL_REMOVE`) and then closed by libcurl itself.
    static let closeSocket: ccurl_close_callback = { context, number in
        guard let context else { return Glibc.close(number) }
        // SAFETY: as above.
        return Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().closeSocket(number)
    }

    private func watch(_ number: curl_socket_t, for what: Int32) {
        var readiness: Readiness = []
        if what & CCURL_POLL_IN != 0 { readiness.insert(.readable) }
        if what & CCURL_POLL_OUT != 0 { readiness.insert(.writable) }
        if what == CCURL_POLL_REMOVE { return unwatch(number) }
        do throws(SystemError) {
            if let registration = sockets[number] {
                try loop.update(registration, ofBorrowed: number, for: readiness, edgeTriggered: false)
            } else {
                sockets[number] = try loop.register(
                    borrowed: number, for: readiness, edgeTriggered: false, handler: owner, token: UInt64(number))
            }
        } catch {
            // Nothing will be reported of the socket: its transfer ends with its time-out.
            unwatch(number)
        }
    }

    private func unwatch(_ number: curl_socket_t) {
        guard let registration = sockets.removeValue(forKey: number) else { return }
        loop.deregister(registration, ofBorrowed: number)
    }

    private func closeSocket(_ number: curl_socket_t) -> Int32 {
        unwatch(number)
        return Glibc.close(number)
    }

    /// Opens a socket for libcurl, if it may connect to that address.
    func openSocket(for address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        // SAFETY: libcurl's structure, valid during the callback that this is called from.
        let number = ccurl_open_socket(address)
        if number != CCURL_SOCKET_BAD { connectionsOpened += 1 }
        return number
    }

    private func setTimer(_ milliseconds: Int) {
        timer?.cancel()
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = loop.schedule(after: .milliseconds(milliseconds)) { [owner] in owner.timerFired() }
    }
}
