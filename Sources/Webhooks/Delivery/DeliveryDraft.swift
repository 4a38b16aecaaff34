import Directors

/// A notification that is to be delivered.
package struct DeliveryDraft: Sendable, Hashable {
    /// The delivery's identifier; if a delivery has it already, nothing more is stored.
    package var id: String
    /// The hook that it goes to.
    package var address: HookAddress
    /// What is sent. It must not tell the identifier: what is coalesced goes out under an earlier one's.
    package var body: [UInt8]
    /// The time within which the latest of several stands for all; nil where each is delivered.
    package var coalesce: Duration?

    /// Makes a draft.
    package init(id: String = Delivery.newID(), address: HookAddress, body: [UInt8], coalesce: Duration? = nil) {
        self.id = id
        self.address = address
        self.body = body
        self.coalesce = coalesce
    }
}

extension Delivery {
    /// A random identifier: `msg_` and 24 digits and letters, some 140 bits.
    package static func newID() -> String {
        let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        return "msg_" + String(decoding: (0..<24).map { _ in alphabet.randomElement() ?? 0x30 }, as: UTF8.self)
    }
}

/// Why a notification was not accepted. Nothing of it is stored then, and nothing will be delivered.
package enum NotifyRefusal: Error, Sendable, Hashable {
    /// As many wait for this hook as may.
    case hookFull(HookAddress, limit: Int, retryAfter: Duration)
    /// As many wait for all hooks together as may; the limit is a number and what it counts.
    case full(limit: String, retryAfter: Duration)
    /// It could not be stored.
    case store(DeliveryStoreError)
    /// The server is closing.
    case closed
}

extension NotifyRefusal: CustomStringConvertible {
    /// A sentence without its full stop, which says what to do.
    package var description: String {
        switch self {
        case .hookFull(let address, let limit, _):
            "\(limit) deliveries wait for the hook \(address.path) already; see to its receiver, or try again later"
        case .full(let limit, _):
            "\(limit) wait for all hooks together; see to the receivers, or try again later"
        case .store(let error): error.description
        case .closed: "the server is closing"
        }
    }
}

/// Why a delivery is not tried again.
package enum RetryRefusal: Error, Sendable, Hashable {
    /// There is none with this identifier.
    case unknown
    /// There is no room in its hook's queue, or it could not be stored.
    case refused(NotifyRefusal)
}

/// Why a delivery is not removed.
package enum RemovalRefusal: Error, Sendable, Hashable {
    /// There is none with this identifier.
    case unknown
    /// It still waits: an accepted delivery arrives or goes dead.
    case pending
    /// That could not be stored.
    case refused(DeliveryStoreError)
    /// The server is closing.
    case closed
}

extension RemovalRefusal: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .unknown: RetryRefusal.unknown.description
        case .pending: "this delivery still waits, and only a dead one can be removed; removing its hook makes it one"
        case .refused(let error): error.description
        case .closed: NotifyRefusal.closed.description
        }
    }
}

extension RetryRefusal: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .unknown: "there is no delivery with this id; one that has arrived is not kept"
        case .refused(let refusal): refusal.description
        }
    }
}
