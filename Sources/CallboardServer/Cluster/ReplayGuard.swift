import Directors
import Notation
import Synchronization

/// Lets each message of other nodes in once. Any thread.
///
/// No message is taken twice, whoever sends it again, and whenever:
/// - A message names the receiver's epoch, 122 random bits that are drawn when the process starts and whenever the
///   numbers that were taken are forgotten. A message for another process, for the process before a restart, or for an
///   earlier epoch names another epoch. No clock and no database takes part in this.
/// - Within an epoch each sending process has one ``SequenceWindow``, which is kept as long as the epoch lasts: a number is
///   taken where it was not taken before and can still be known. The sender's name is as random, so that no two processes
///   share a window.
/// - The epoch and the number are looked at, and the number is noted, under one lock, before anything is carried out.
///
/// A sender learns the epoch from the answer to a message without one. Such a message is never carried out, and the
/// sender sends it once more.
final class ReplayGuard: Sendable {
    /// How many sending processes are known at once. Beyond that a new epoch begins, and all of them ask anew.
    static let maxSenders = 256

    private struct State {
        var epoch = RandomIdentifier.uuid()
        var windows: [Name: SequenceWindow] = [:]
    }

    private let state = Mutex(State())

    /// Takes a message.
    ///
    /// - Parameters:
    ///   - node: The receiver's number.
    ///   - now: The receiver's time, in seconds since 1970.
    /// - Throws: Why it is not carried out.
    func admit(_ message: NodeEnvelope, at node: Int, now: Int) throws(NodeRefusal) {
        guard message.to == node else { throw .addressee }
        guard (now - NodeEnvelope.tolerance...now + NodeEnvelope.tolerance).contains(message.time) else { throw .clock }
        let refusal: NodeRefusal? = state.withLock { state in
            let isKnown = state.windows[message.sender] != nil
            if !isKnown, state.windows.count == Self.maxSenders { state = State() }
            guard message.epoch == state.epoch else { return .epoch(state.epoch) }
            return state.windows[message.sender, default: SequenceWindow()].take(message.number) ? nil : .repeated
        }
        if let refusal { throw refusal }
    }
}
