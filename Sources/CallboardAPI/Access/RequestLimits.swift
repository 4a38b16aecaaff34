import HTTPServer
import Reactor
import Synchronization

/// Holds each token and each address to the server's bounds. Any thread.
final class RequestLimits: Sendable {
    private let configuration: LimitsConfiguration
    private let interval: UInt64
    private let book = Mutex(AllowanceBook())

    /// Makes the limits of a configuration.
    init(_ configuration: LimitsConfiguration) {
        self.configuration = configuration
        let rate = configuration.requestsPerSecond
        interval = rate > 0 ? UInt64(max(1, min(1e9 / rate, 1e15))) : 0
    }

    /// Takes a request from its address.
    ///
    /// - Throws: 429 with the seconds to wait.
    func admit(_ exchange: Exchange) throws(Problem) {
        guard interval > 0 else { return }
        try take(name(of: exchange), "this address", exchange.loop)
    }

    /// Takes a request from its token; one without a token is its address's alone.
    ///
    /// - Throws: 429 with the seconds to wait.
    func admit(_ principal: Principal, on loop: EventLoop) throws(Problem) {
        guard interval > 0, let name = principal.limitName else { return }
        try take(name, "this credential", loop)
    }

    private func take(_ name: String, _ who: String, _ loop: EventLoop) throws(Problem) {
        let now = loop.now
        let allowance = book.withLock { $0.allowance(of: name, now: now) }
        guard let wait = allowance.take(now: now, interval: interval, burst: configuration.burst) else { return }
        throw .tooMany(
            "The server takes \(configuration.requestsPerSecond) requests a second of \(who) (limits.requestsPerSecond).",
            retryAfter: Int(wait / 1_000_000_000) + 1)
    }

    /// Takes a stream from its token and its address.
    ///
    /// - Returns: A handle that returns the place when it is released; nil if streams are not bounded.
    /// - Throws: 429.
    func lease(_ call: Call) throws(Problem) -> StreamLease? {
        guard configuration.streams > 0 else { return nil }
        let now = call.exchange.loop.now
        let names = [name(of: call.exchange), call.principal.limitName].compactMap(\.self)
        let allowances = book.withLock { book in names.map { book.allowance(of: $0, now: now) } }
        guard let lease = StreamLease(allowances, limit: configuration.streams) else {
            throw .tooMany(
                "At most \(configuration.streams) streams may be open of one credential and of one address "
                    + "(limits.streams).", retryAfter: 5)
        }
        return lease
    }

    private func name(of exchange: Exchange) -> String { "address " + exchange.remoteAddress }
}

/// A stream's place among those that may be open; given back when nobody keeps it any more.
final class StreamLease: Sendable {
    private let allowances: [Allowance]

    /// Takes a stream of each allowance; nil where one of them has none left.
    init?(_ allowances: [Allowance], limit: Int) {
        var taken: [Allowance] = []
        for allowance in allowances {
            guard allowance.beginStream(limit: limit) else {
                for allowance in taken { allowance.endStream() }
                self.allowances = []
                return nil
            }
            taken.append(allowance)
        }
        self.allowances = taken
    }

    deinit {
        for allowance in allowances { allowance.endStream() }
    }
}

extension Principal {
    /// The name by which its requests are counted; nil for one without a credential.
    fileprivate var limitName: String? {
        switch source {
        case .everybody, .anonymous, .node: nil
        case .token(let id, _): "token " + id
        case .certificate(let name): "certificate " + name
        case .issued(let token): "issued \(token.issuer) \(token.subject ?? token.id ?? "")"
        }
    }
}
