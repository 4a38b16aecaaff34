#if os(Linux)
    import Foundation
    import HTTPClient

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Carries requests over libcurl, on a thread of its own, for what `URLSession` cannot do on Linux.
    ///
    /// The thread begins with the first request. Letting go of the session lets running requests end, and then ends the thread.
    final class CurlSession: Sendable {
        private let authority: CertificateAuthority?
        private let followsRedirects: Bool
        private let client = Locked<StreamingClient?>(nil)

        /// Makes a session.
        ///
        /// - Parameters:
        ///   - authority: What is trusted; nil for what libcurl trusts.
        ///   - followsRedirects: Whether a request that may change something is sent on where a redirect leads.
        init(trusting authority: CertificateAuthority?, followsRedirects: Bool) {
            self.authority = authority
            self.followsRedirects = followsRedirects
        }

        deinit { client.withLock { $0 }?.finish() }

        private func startedClient() throws(TransportError) -> StreamingClient {
            do {
                return try client.withLock { client in
                    if let client { return client }
                    let started = try StreamingClient(trusting: authority?.pem)
                    client = started
                    return started
                }
            } catch {
                throw .connection(reason: "\(error)")
            }
        }

        /// Sends a request; see ``ClientTransport/open(_:bufferLimit:)``.
        func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
            let client = try startedClient()
            var sent = StreamRequest(request)
            if !followsRedirects, !request.isRead { sent.redirects = 0 }
            let (exchange, handle) = (SessionExchange(bufferLimit: bufferLimit), StreamHandle())
            exchange.body.connect { control in
                switch control {
                case .hold: handle.hold()
                case .proceed: client.proceed(handle)
                case .cancel: client.cancel(handle)
                }
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { [sent] continuation in
                    exchange.awaitHead(continuation)
                    client.begin(sent, handle, exchange)
                }
            } onCancel: {
                exchange.complete(CancellationError())
                client.cancel(handle)
            }
        }
    }

    extension SessionExchange: StreamReceiver {
        func end(_ failure: StreamFailure?) {
            switch failure {
            case nil: complete(nil)
            case .cutOff:
                let reason = "the connection ended without an answer; whether the request was carried out is not known"
                complete(TransportError.connection(reason: reason))
            case .untrusted(let reason): complete(TransportError.untrusted(reason: reason))
            case .connection(let reason): complete(TransportError.connection(reason: reason))
            }
        }
    }

    extension StreamRequest {
        /// Up to so many bytes a body is copied, which costs less than sending it in parts does.
        private static var copiedSize: Int { 1 << 20 }

        /// Takes a request. Its time-out counts the time without a byte, as with `URLSession`, without the time in which the
        /// reader holds the body back.
        fileprivate init(_ request: URLRequest) {
            let seconds = min(max(request.timeoutInterval, 0.001), 10_000_000)
            var fields = request.allHTTPHeaderFields ?? [:]
            if request.value(forHTTPHeaderField: "User-Agent") == nil { fields["User-Agent"] = "CallboardClient" }
            let body = request.httpBody ?? Data()
            let isLong = body.count > Self.copiedSize
            self.init(
                url: request.url?.absoluteString ?? "", method: request.httpMethod ?? "GET",
                fields: fields.map { HeaderField($0.key, $0.value) }, body: isLong ? [] : Array(body),
                silence: .seconds(seconds))
            if isLong {
                longContent = LongContent(count: body.count) { range in
                    Array(body[body.startIndex + range.lowerBound..<body.startIndex + range.upperBound])
                }
            }
        }
    }
#endif
