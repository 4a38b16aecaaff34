import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests over a `URLSession` of its own.
///
/// Bodies arrive through the session's delegate, which works the same on Linux and on Apple's platforms. Letting go of
/// the transport lets running requests end and then releases the session.
///
/// Redirects are followed. A redirect to another origin is followed without `Authorization` and cookies.
///
/// `URLSession` there also sends a request again where a connection that was used before ends without an answer, even if
/// the server may have carried it out. Whatever is not safe to repeat, all but `GET` and `HEAD`, therefore goes over libcurl
/// there, which is kept from that; of the configuration its additional fields hold for these requests. On Apple's platforms
/// the `Idempotency-Key` of each `POST` has the server do it once.
///
/// Nor does `URLSession` trust an authority there that the system does not. A transport with a ``CertificateAuthority``
/// uses libcurl there, with the same rules for redirects; over TLS it agrees upon HTTP/2 where the server has it, and
/// streams to one server then share a connection.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession
    private let delegate: SessionDelegate
    #if os(Linux)
        /// The transport of requests that the session cannot, or must not, carry.
        private let curl: CurlSession
        /// Whether the session cannot carry any.
        private let isCurlAlone: Bool
    #endif

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - configuration: what the session is made with. The default keeps no cache and no cookies, and allows 64
    ///     connections to a server, since every stream holds one. On Linux it has no effect beside an authority.
    ///   - authority: what is trusted in the place of the system's certificates; nil trusts those.
    public convenience init(
        configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        trusting authority: CertificateAuthority? = nil
    ) {
        self.init(configuration: configuration, trusting: authority, followsRedirectsOfWrites: true)
    }

    /// Makes a transport.
    ///
    /// - Parameter followsRedirectsOfWrites: On Linux, whether a request that may change something is sent on where a
    ///   redirect leads; otherwise the redirect is its answer.
    package init(
        configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
        trusting authority: CertificateAuthority?, followsRedirectsOfWrites: Bool
    ) {
        #if os(Linux)
            curl = CurlSession(trusting: authority, followsRedirects: followsRedirectsOfWrites)
            isCurlAlone = authority != nil
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
            if isCurlAlone || !request.isRead {
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
