import Foundation

/// A token in use, with the number of the provider's call that gave it.
struct HeldToken: Sendable {
    let token: AccessToken
    /// Counts from 1; 0 for a fixed token.
    let call: Int
    /// When the next token is to be asked for; nil is never.
    let renewal: Date?
}

/// An error of a credential's provider, as distinct from an error of the request.
struct TokenFailure: Error {
    let error: any Error
}

/// Keeps the token of one client, and calls the provider for the next one.
actor TokenSource {
    /// Whether there may be another token than the one that the server has refused.
    nonisolated let canRenew: Bool

    private let source: Credential.Source
    private let now: @Sendable () -> Date
    private var held: HeldToken?
    /// How many calls of the provider have begun.
    private var calls = 0
    private var call: Task<Void, Never>?
    private var waiters: [Int: CheckedContinuation<HeldToken, any Error>] = [:]
    private var lastWaiter = 0

    /// How many requests wait for the provider.
    var waiterCount: Int { waiters.count }

    init(_ credential: Credential, now: @escaping @Sendable () -> Date = { Date() }) {
        source = credential.source
        self.now = now
        canRenew = if case .provider = credential.source { true } else { false }
    }

    /// The token for a request, or nil where the client has no credential.
    ///
    /// - Parameter refused: a token that the server does not accept any more; an older one is not returned either.
    /// - Throws: ``TokenFailure``, or `CancellationError` where the task was cancelled.
    func token(after refused: HeldToken? = nil) async throws -> HeldToken? {
        switch source {
        case .none: return nil
        case .fixed(let token): return HeldToken(token: token, call: 0, renewal: nil)
        case .provider(let provide, let keepsToken):
            if keepsToken, let held, held.call > refused?.call ?? 0, held.renewal.map({ now() < $0 }) ?? true {
                return held
            }
            return try await nextToken(from: provide)
        }
    }

    /// The token to send a request with again that the server answered 401, or nil where there is no other.
    func replacement(for refused: HeldToken) async throws -> HeldToken? {
        guard canRenew, let next = try await token(after: refused) else { return nil }
        return next.token.text == refused.token.text ? nil : next
    }

    /// When to ask for the token after this one.
    ///
    /// At least a second passes, so that a provider with a wrong clock is not called without pause.
    private func renewal(of token: AccessToken) -> Date? {
        guard let end = token.expiresAt else { return nil }
        let start = now()
        let margin = min(60, max(0, end.timeIntervalSince(start)) / 10)
        return max(end.addingTimeInterval(-margin), start.addingTimeInterval(1))
    }
}

extension TokenSource {
    /// Waits for the call of the provider that is in flight, or begins one.
    private func nextToken(from provide: @escaping Credential.Provider) async throws -> HeldToken {
        lastWaiter += 1
        let waiter = lastWaiter
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiters[waiter] = continuation
                if call == nil { begin(provide) }
            }
        } onCancel: {
            Task { await self.abandon(waiter) }
        }
    }

    private func begin(_ provide: @escaping Credential.Provider) {
        calls += 1
        let number = calls
        call = Task {
            let result: Result<AccessToken, any Error>
            do {
                result = .success(try await provide())
            } catch {
                result = .failure(TokenFailure(error: error))
            }
            finish(number, result)
        }
    }

    private func finish(_ number: Int, _ result: Result<AccessToken, any Error>) {
        // A call that everybody has stopped waiting for has ended already, and another one may be in flight.
        guard number == calls, call != nil else { return }
        call = nil
        let outcome = result.map { HeldToken(token: $0, call: number, renewal: renewal(of: $0)) }
        if case .success(let token) = outcome { held = token }
        let waiting = waiters.values
        waiters = [:]
        for waiter in waiting { waiter.resume(with: outcome) }
    }

    private func abandon(_ waiter: Int) {
        guard let continuation = waiters.removeValue(forKey: waiter) else { return }
        continuation.resume(throwing: CancellationError())
        guard waiters.isEmpty else { return }
        call?.cancel()
        call = nil
    }
}
