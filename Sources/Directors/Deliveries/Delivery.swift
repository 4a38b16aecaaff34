/// A notification on its way to a webhook: what was accepted, and what has come of it so far.
///
/// It is stored before the reporting client gets its 202, and is kept until the receiver has accepted it. Its
/// identifier is the same in every attempt, so that a receiver can tell a repetition.
package struct Delivery: Sendable, Hashable {
    /// Its position among all deliveries; a smaller one was accepted, or put back into its queue, earlier.
    package let sequence: Int
    /// The identifier, which the receiver gets as `webhook-id`: `msg_` and more.
    package let id: String
    /// The hook that it goes to. The hook's URL and secrets are looked up at each attempt.
    package let address: HookAddress
    /// When it was accepted.
    package let created: WallTime
    /// What is sent.
    package let body: [UInt8]
    /// Whether it still waits.
    package var state = State.pending
    /// How often it was tried; 0 again for one that was put back into its queue.
    package var attempts = 0
    /// When it may be tried next, as long as it waits. One behind others waits for those too.
    package var nextAttempt: WallTime
    /// When it was last tried.
    package var lastAttempt: WallTime?
    /// Why it has not arrived, a sentence without its full stop; nil for one that was not tried yet.
    package var lastError: String?

    /// Whether a delivery still waits.
    package enum State: Int, Sendable, Hashable, CaseIterable {
        /// It is tried until it arrives or has been tried often enough.
        case pending = 1
        /// It is not tried any more, unless someone asks for it.
        case dead = 2
    }

    /// Makes a delivery that may be tried from `nextAttempt` on; at once where that is left out.
    package init(
        sequence: Int, id: String, address: HookAddress, created: WallTime, body: [UInt8], nextAttempt: WallTime? = nil
    ) {
        self.sequence = sequence
        self.id = id
        self.address = address
        self.created = created
        self.body = body
        self.nextAttempt = nextAttempt ?? created
    }

    /// The most bytes of UTF-8 that ``lastError`` is to have; longer texts are cut.
    package static let maximumErrorLength = 1024

    /// About how many bytes it takes in memory, for bounds.
    package var size: Int { Self.size(id: id, body: body) + (lastError?.utf8.count ?? 0) }

    /// The same of a delivery that was not tried yet.
    package static func size(id: String, body: [UInt8]) -> Int { 256 + id.utf8.count + body.count }
}
