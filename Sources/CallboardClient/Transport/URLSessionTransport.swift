import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests over a `URLSession` of its own, and over libcurl on Linux.
///
/// Letting go of the transport lets running requests end and then releases its connections.
///
/// Redirects are followed. A redirect to another origin is followed without `Authorization` and cookies.
///
/// On Linux `URLSession` uses a whole processor while a stream is open, sends any request again where a connection that was
/// used before ends without an answer, and cannot hold a sender back. libcurl does none of that: `GET` and `HEAD` alone are
/// repeated. Over TLS it agrees upon HTTP/2 where the server has it, and streams to one server then share a connection. On
/// Apple's platforms the `Idempotency-Key` of each `POST` has the server do a repeated one once.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession
    private let delegate: SessionDelegate
    #if os(Linux)
        private let curl: CurlSession
        private let usesSession: Bool
    #endif

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - configuration: The session's configuration. The default keeps no cache and no cookies, and allows 64
    ///     connections to a server, since every stream holds one. On Linux its additional fields alone have an effect.
    ///   - authority: The trusted certificates in place of the system's; nil trusts those.
    public convenience init(
        configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        trusting authority: CertificateAuthority? = nil
    ) {
        self.init(configuration: configuration, trusting: authority, followsRedirectsOfWrites: true)
    }

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - followsRedirectsOfWrites: On Linux, whether a request that may change something is sent on where a redirect
    ///     leads; otherwise the redirect is its answer.
    ///   - usesSession: Whether reads go over `URLSession` on Linux too, as a test of what other platforms do.
    package init(
        configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        trusting authority: CertificateAuthority?, followsRedirectsOfWrites: Bool = true, usesSession: Bool = false
    ) {
        #if os(Linux)
            curl = CurlSession(trusting: authority, followsRedirects: followsRedirectsOfWrites)
            self.usesSession = usesSession
        #endif
        delegate = SessionDelegate(trusting: authority)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// A configuration without cache and cookies that lets a stream be silent for as long as the client allows.
    public static var defaultConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.httpMaximumConnectionsPerHost = 64
        // A stream lives for as long as it is wanted; the client itself notices when it has fallen silent.
        configuration.timeoutIntervalForResource = 10 * 365 * 24 * 3600
        return configuration
    }

    #if os(Linux)
        /// The request with the configuration's fields that it does not have itself.
        private func withAdditionalFields(_ request: URLRequest) -> URLRequest {
            var request = request
            for case (let name as String, let value as String) in session.configuration.httpAdditionalHeaders ?? [:]
            where request.value(forHTTPHeaderField: name) == nil {
                request.setValue(value, forHTTPHeaderField: name)
            }
            return request
        }
    #endif

    /// Sends a request; see ``ClientTransport/open(_:bufferLimit:)``.
    public func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse {
        try Task.checkCancellation()
        #if os(Linux)
            if !usesSession || !request.isRead {
                return try await curl.open(withAdditionalFields(request), bufferLimit: bufferLimit)
            }
        #endif
        let task = session.dataTask(with: request)
        let exchange = SessionExchange(bufferLimit: bufferLimit)
        delegate.begin(exchange, for: task)
        exchange.body.connect { control in
            switch control {
            #if canImport(FoundationNetworking)
                // Suspending a running task holds nothing back on Linux; there the buffer's limit is what bounds it.
                case .hold, .proceed: break
            #else
                case .hold: task.suspend()
                case .proceed: task.resume()
            #endif
            case .cancel: task.cancel()
            }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.awaitHead(continuation)
                task.resume()
            }
        } onCancel: { [delegate] in
            task.cancel()
            // A task that was never resumed may never report its end, so the caller is told here.
            delegate.end(task)
            exchange.complete(CancellationError())
        }
    }
}
