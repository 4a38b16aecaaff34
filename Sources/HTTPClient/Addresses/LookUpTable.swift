import Notation
import Reactor

/// The addresses of names, for as long as they may be used again, and who waits for a look-up that is under way.
struct LookUpTable {
    /// Names that are remembered before those whose time is over are forgotten.
    private static let manyNames = 1024

    /// The action for a name.
    enum Answer: Equatable {
        /// These are its addresses.
        case known([IPAddress])
        /// A look-up is under way; `finish` will name the request.
        case underWay
        /// Nobody knows: a look-up is to be started, and `finish` will name the request.
        case needed
    }

    private let lifetime: UInt64
    private var known: [Name: (addresses: [IPAddress], until: LoopInstant)] = [:]
    private var waiting: [Name: [UInt64]] = [:]

    init(lifetime: Duration) {
        self.lifetime = lifetime.nanoseconds
    }

    /// Asks for a name's addresses on behalf of a request.
    mutating func addresses(of name: String, for id: UInt64, now: LoopInstant) -> Answer {
        if let entry = known[name], now < entry.until { return .known(entry.addresses) }
        if waiting[name]?.append(id) != nil { return .underWay }
        waiting[name] = [id]
        return .needed
    }

    /// Ends a look-up; returns the requests that waited for it. A failure (nil) is not remembered.
    mutating func finish(_ name: String, addresses: [IPAddress]?, now: LoopInstant) -> [UInt64] {
        if let addresses, lifetime > 0 {
            if known.count >= Self.manyNames { known = known.filter { now < $0.value.until } }
            known[name] = (addresses, now &+ lifetime)
        } else {
            known[name] = nil
        }
        return waiting.removeValue(forKey: Name(name)) ?? []
    }
}
