#if os(Linux)
    import CCurl
    import Foundation
    import Synchronization

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Carries requests over libcurl, on a thread of its own, for what `URLSession` cannot do on Linux.
    ///
    /// Letting go of it lets running requests end, and then ends the thread.
    final class CurlSession: Sendable {
        private let authority: CertificateAuthority?
        private let loop = CurlLoop()

        /// Makes a session that trusts an authority, or where there is none what libcurl does.
        init(trusting authority: CertificateAuthority?) { self.authority = authority }

        deinit { loop.stop() }

        /// Sends a request; see ``ClientTransport/open(_:bufferLimit:)``.
        func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
            let exchange = SessionExchange(bufferLimit: bufferLimit)
            let transfer = CurlTransfer(request, trusting: authority, for: exchange)
            exchange.body.connect { [loop] control in
                switch control {
                case .hold: transfer.isHeld.store(true, ordering: .relaxed)
                case .proceed:
                    transfer.isHeld.store(false, ordering: .relaxed)
                    loop.submit(.proceed(transfer))
                case .cancel: loop.submit(.cancel(transfer))
                }
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    exchange.awaitHead(continuation)
                    loop.submit(.begin(transfer))
                }
            } onCancel: { [loop] in
                exchange.complete(CancellationError())
                loop.submit(.cancel(transfer))
            }
        }
    }

    /// libcurl's multi handle and the thread that drives it, which begins with the first command.
    ///
    /// The handle is used on that thread alone, but for waking it up. Commands are carried out in their order.
    final class CurlLoop: Sendable {
        /// A task of the thread.
        enum Command {
            /// Send a request.
            case begin(CurlTransfer)
            /// Read on where the body was held back.
            case proceed(CurlTransfer)
            /// Close the connection, or the stream of it.
            case cancel(CurlTransfer)
        }

        private struct State {
            var commands: [Command] = []
            /// libcurl's `CURLM`, as long as the thread runs.
            var multi: UnsafeMutableRawPointer?
            var isStopping = false
        }

        private let state = Mutex(State())

        /// Adds a command; from any thread, also from libcurl's callbacks.
        func submit(_ command: Command) {
            let starts = state.withLock { state in
                // Whatever comes after the end is about transfers that are over.
                guard !state.isStopping || state.multi != nil else { return false }
                state.commands.append(command)
                guard let multi = state.multi else {
                    state.multi = CurlLoop.makeHandle()
                    return true
                }
                // SAFETY: the thread frees the handle only after it has taken it from the state, under this lock.
                curl_multi_wakeup(multi)
                return false
            }
            if starts { Thread { self.run() }.start() }
        }

        /// Ends the thread when the last transfer is over.
        func stop() {
            state.withLock { state in
                state.isStopping = true
                // SAFETY: as above.
                if let multi = state.multi { curl_multi_wakeup(multi) }
            }
        }

        private static let isReady = ccurl_global_init() == CURLE_OK

        private static func makeHandle() -> UnsafeMutableRawPointer {
            // SAFETY: made here and freed by the thread. It fails only where there is no memory.
            guard isReady, let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory") }
            return multi
        }

        /// The thread's work: commands, then what libcurl has to do, then what has ended, until there is nothing left.
        private func run() {
            guard let multi = state.withLock({ $0.multi }) else { return }
            Self.blockBrokenPipe()
            var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
            while true {
                let (commands, isOver) = state.withLock { state in
                    let commands = state.commands
                    state.commands = []
                    let isOver = state.isStopping && commands.isEmpty && transfers.isEmpty
                    if isOver { state.multi = nil }
                    return (commands, isOver)
                }
                if isOver { break }
                for command in commands { carryOut(command, on: multi, &transfers) }
                var count: Int32 = 0
                // SAFETY: the handle is this thread's; callbacks only note what came, and submit commands.
                curl_multi_perform(multi, &count)
                var code = CURLE_OK
                while let easy = ccurl_multi_next_done(multi, &code) {
                    guard let transfer = transfers.removeValue(forKey: easy) else { continue }
                    transfer.end(on: multi, code)
                }
                // Until a socket is ready, libcurl's own time has come, or somebody calls `curl_multi_wakeup`.
                curl_multi_poll(multi, nil, 0, 60_000, nil)
            }
            // SAFETY: nobody else has the pointer any more, and no transfer is left.
            curl_multi_cleanup(multi)
        }

        private func carryOut(
            _ command: Command, on multi: UnsafeMutableRawPointer,
            _ transfers: inout [UnsafeMutableRawPointer: CurlTransfer]
        ) {
            switch command {
            case .begin(let transfer):
                if let easy = transfer.begin(on: multi) { transfers[easy] = transfer }
            case .proceed(let transfer): transfer.proceed()
            case .cancel(let transfer):
                if let easy = transfer.cancel(on: multi) { transfers[easy] = nil }
            }
        }

        /// Keeps the signal of a peer that is gone from this thread; the write's error tells the same.
        private static func blockBrokenPipe() {
            var signals = sigset_t()
            // SAFETY: the set is filled in and read during the calls.
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
#endif
