import Access
import Notation
import Reactor

/// A loop's recent credentials: the principal by the Authorization field as sent, or by the key of the client's
/// certificate. A request costs one look-up.
///
/// Bounded in bytes: two generations of at most half of them; what is used moves into the newer one.
actor LoopCredentials: LoopActor {
    nonisolated let loop: EventLoop

    private var recent: [Name: Principal] = [:]
    private var older: [Name: Principal] = [:]
    private var bytes = 0

    /// Bytes of both generations together.
    static let limit = 8 << 20

    /// Makes an empty one.
    init(loop: EventLoop) {
        self.loop = loop
    }

    /// The principal of a credential, if the loop has seen it.
    func principal(of credential: String) -> Principal? {
        if let principal = recent[credential] { return principal }
        guard let principal = older[credential] else { return nil }
        keep(principal, for: credential)
        return principal
    }

    /// Keeps whose credential a text is.
    func keep(_ principal: Principal, for credential: String) {
        let cost = credential.utf8.count + principal.grants.memory + 256
        if bytes + cost > Self.limit / 2 {
            older = recent
            recent = [:]
            bytes = 0
        }
        recent[credential] = principal
        bytes += cost
    }
}
