import Directors
import HTTPWire
import JSONValues

/// The changeset of a retained version: encoded, or to be encoded for a client that asks for it.
///
/// A director's changesets are encoded once they are published. Most instances of a view have no subscriber, so that theirs
/// would be encoded for nobody. A waiting changeset shares its elements with the versions on both sides of it.
package enum RetainedChangeset: Sendable {
    /// The event.
    case encoded(EventFrame)
    /// The change, and about how many bytes its event has.
    indirect case waiting(PublishedChange, textEstimate: Int)

    /// Keeps a change without encoding it.
    package init(_ change: PublishedChange) {
        self = .waiting(change, textEstimate: change.textEstimate)
    }

    /// The event, which is encoded at each call if it was not before.
    package var frame: EventFrame {
        switch self {
        case .encoded(let frame): frame
        case .waiting(let change, _): .changeset(change)
        }
    }

    /// The length of the event in bytes; about that of one that is not encoded.
    package var textSize: Int {
        switch self {
        case .encoded(let frame): frame.bytes.count
        case .waiting(_, let estimate): estimate
        }
    }

    /// The memory that it takes beside the versions' elements, in bytes.
    package var memory: Int {
        switch self {
        case .encoded(let frame): frame.bytes.count
        case .waiting(let change, _):
            512 + 32 * (change.changeset.operationCount + change.changeset.replaced.count)
                + (change.totals?.bytes.count ?? 0)
        }
    }

    /// The animations that the reload's caller wished.
    ///
    /// - Complexity: O(1) of a change that waits, else O(*n*) in the length of the event.
    package var animations: Animations? {
        switch self {
        case .waiting(let change, _): change.animations
        case .encoded(let frame): frame.animations
        }
    }
}

extension EventFrame {
    /// The animations of the event `changeset`; nil if it has none.
    fileprivate var animations: Animations? {
        guard let document = try? JSONDocument(Array(storage[data]), maximumDepth: JSONDocument.ceilingDepth),
            let member = document.root["animations"]
        else { return nil }
        return try? Animations.decode(member)
    }
}
