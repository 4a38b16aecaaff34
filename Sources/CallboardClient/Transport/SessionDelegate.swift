import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Security)
    import Security
#endif

/// Hands what `URLSession` reports to the exchange that it belongs to.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[Int: SessionExchange]>([:])
    /// The trusted authorities in place of the system's, for `URLSession`.
    let authority: CertificateAuthority?

    init(trusting authority: CertificateAuthority?) { self.authority = authority }

    func begin(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Forgets a task that nobody waits for any more.
    func end(_ task: URLSessionTask) {
        exchanges.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(for task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isWanted = exchange(for: dataTask)?.receiveHead(response) ?? false
        completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(Redirection.request(request, from: response.url, original: task.originalRequest))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(for: dataTask)?.receiveBody(Array(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        // On Linux a redirect that leads nowhere, since it has no Location, is not told of before.
        if error == nil, let response = task.response { _ = exchange?.receiveHead(response) }
        exchange?.complete(error)
    }

    #if canImport(Security)
        /// Judges a server's certificate by the authority's certificates alone, where there are any.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let space = challenge.protectionSpace
            guard let authority, space.authenticationMethod == NSURLAuthenticationMethodServerTrust,
                let trust = space.serverTrust
            else { return completionHandler(.performDefaultHandling, nil) }
            let anchors = authority.certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            var error: CFError?
            if SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess,
                SecTrustEvaluateWithError(trust, &error)
            {
                return completionHandler(.useCredential, URLCredential(trust: trust))
            }
            let reason = error.map { ($0 as any Error).localizedDescription } ?? "the certificate cannot be checked"
            // To refuse a challenge cancels the task, and would be taken for a cancellation by the caller.
            exchange(for: task)?.complete(TransportError.untrusted(reason: reason))
            end(task)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif
}
