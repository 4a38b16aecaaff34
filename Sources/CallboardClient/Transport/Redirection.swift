import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The parts of a request that go to the address of a redirect.
enum Redirection {
    /// The fields that only the server that a request was made for may see.
    private static let secretFields = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// The request to follow a redirect with.
    ///
    /// Within one origin (RFC 6454) the `Authorization` of the original request is kept, which `URLSession` removes on
    /// some systems. Another origin, also another port or `http` after `https`, gets none of the secret fields.
    ///
    /// - Parameters:
    ///   - request: the request that the system made for the new address.
    ///   - source: the address that answered with the redirect.
    ///   - original: the request that was made first.
    static func request(_ request: URLRequest, from source: URL?, original: URLRequest?) -> URLRequest {
        var request = request
        let origin = origin(of: original?.url)
        if let origin, origin == self.origin(of: source), origin == self.origin(of: request.url) {
            let authorization = original?.value(forHTTPHeaderField: "Authorization")
            request.setValue(authorization, forHTTPHeaderField: "Authorization")
        } else {
            for name in secretFields { request.setValue(nil, forHTTPHeaderField: name) }
        }
        return request
    }

    /// Scheme, host and port of an address; nil where it lacks one of them.
    private static func origin(of url: URL?) -> [String]? {
        guard let url, let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty else {
            return nil
        }
        return [scheme, host, String(url.port ?? (scheme == "https" ? 443 : 80))]
    }
}
