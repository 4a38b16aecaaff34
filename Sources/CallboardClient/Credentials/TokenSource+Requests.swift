import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TokenSource {
    /// Sends a request with a token. If the server answers 401 and the provider has another token, the request is sent
    /// once more with that token.
    ///
    /// - Parameter refused: a token that the server has refused before.
    /// - Returns: The answer, whatever its status, and the token that it was given for.
    nonisolated func open(
        _ request: URLRequest, over transport: any ClientTransport, bufferLimit: Int, after refused: HeldToken? = nil
    ) async throws -> (response: TransportResponse, token: HeldToken?) {
        let token = try await token(after: refused)
        let response = try await transport.open(request.authorized(by: token), bufferLimit: bufferLimit)
        guard response.status == 401, let token, canRenew else { return (response, token) }
        do {
            guard let next = try await replacement(for: token) else { return (response, token) }
            response.body.close()
            return (try await transport.open(request.authorized(by: next), bufferLimit: bufferLimit), next)
        } catch {
            response.body.close()
            throw error
        }
    }
}

extension URLRequest {
    /// The request with a token; as it is where there is none.
    fileprivate func authorized(by held: HeldToken?) -> URLRequest {
        guard let held else { return self }
        var request = self
        request.setValue(held.token.authorization, forHTTPHeaderField: "Authorization")
        return request
    }
}
