import DirectorLife
import Directors
import Journal
import Notation
import Reactor

/// Two directors that one command changes: both of its records are stored, or neither.
///
/// The command holds both directors: their other commands wait in line, and nothing of the two is in flight to the journal
/// when it begins. They are held in the order of their names, so that no two commands wait for each other.
package struct DirectorPair: Sendable {
    /// The director that the request names.
    package let first: DirectorHost
    /// The other one.
    package let second: DirectorHost

    /// The state that a command on a pair starts from.
    package struct Start: Sendable {
        /// The command's draft of one of the directors.
        package let draft: LifeDraft
        /// How often the director's working state had changed.
        fileprivate let count: Int
        /// Why the director takes no command; nil where it does.
        package let refusal: LifeRefusal?
    }

    /// A command that was carried out on one of the directors, ready to be committed.
    package struct CarriedOut: Sendable {
        fileprivate let draft: LifeDraft
        fileprivate let count: Int
        fileprivate let answer: StoredAnswer?

        /// Makes it of the state that the command started from and of what it did.
        ///
        /// - Parameter answer: The answer to keep for its repetitions; nil where it has no key.
        package init(_ draft: LifeDraft, since start: Start, answer: StoredAnswer? = nil) {
            (self.draft, count, self.answer) = (draft, start.count, answer)
        }
    }

    /// Makes a pair of directors that are not the same.
    package init(_ first: DirectorHost, _ second: DirectorHost) {
        (self.first, self.second) = (first, second)
    }

    /// Holds both directors; from any thread. ``release()`` or ``commit(_:_:completion:)`` lets them go.
    ///
    /// - Parameters:
    ///   - cause: The command's name in the changesets that show it; nil for none.
    ///   - body: Called once on one of their loops, with the states that the command starts from.
    package func hold(cause: String?, then body: @escaping @Sendable (_ first: Start, _ second: Start) -> Void) {
        let isInOrder = Name(first.name) < Name(second.name)
        let (one, other) = isInOrder ? (first, second) : (second, first)
        one.hold(cause) { start in
            other.hold(cause) { otherStart in
                if isInOrder { body(start, otherStart) } else { body(otherStart, start) }
            }
        }
    }

    /// Lets both directors go; from any thread.
    package func release() {
        for host in [first, second] { host.send { $0.releaseRecords() } }
    }

    /// What became of a command.
    package enum Outcome: Sendable {
        /// Both records are stored.
        case stored
        /// Nothing has happened: one of the directors has changed since the command began, or is another node's.
        case changedMeanwhile
        /// Both records are not stored, and why.
        case failed(StorageError)
    }

    /// Commits the command on both directors and lets them go; from any thread.
    ///
    /// - Parameter completion: Called once, on the first director's loop.
    package func commit(
        _ first: CarriedOut, _ second: CarriedOut, completion: @escaping @Sendable (Outcome) -> Void
    ) {
        self.second.send { host in
            guard let record = host.commitHeld(second, { _ in }) else { return self.abandon(completion) }
            self.first.send { $0.commit(first, with: record, of: self, completion) }
        }
    }

    /// Lets the directors go after one of them has changed meanwhile.
    fileprivate func abandon(_ completion: @escaping @Sendable (Outcome) -> Void) {
        release()
        first.send { _ in completion(.changedMeanwhile) }
    }
}

extension DirectorHost {
    /// Has other commands wait once this one's turn has come, and calls back when nothing is in flight any more.
    fileprivate nonisolated func hold(
        _ cause: String?, _ body: @escaping @Sendable (DirectorPair.Start) -> Void
    ) {
        enter((cause, body)) { host, command in host.holdInTurn(command.0, command.1) }
    }

    private func holdInTurn(_ cause: String?, _ body: @escaping @Sendable (DirectorPair.Start) -> Void) {
        guard !mustWaitForTurn() else { return waitForTurn { $0.holdInTurn(cause, body) } }
        beginLongCommand()
        whenSettled { _ in
            self.send { host in
                body(
                    DirectorPair.Start(
                        draft: host.draft(cause: cause), count: host.workingCount,
                        refusal: host.refusal(isRead: false)))
            }
        }
    }

    /// Accepts a command whose record is handed to the journal together with another director's. Records that follow are
    /// kept until then.
    ///
    /// - Returns: The record; nil, with nothing done, where the director has changed since the command began.
    fileprivate func commitHeld(
        _ command: DirectorPair.CarriedOut, _ completion: @escaping @Sendable (StorageError?) -> Void
    ) -> LifeRecord? {
        guard refusal(isRead: false) == nil, workingCount == command.count, !life.hasInFlight else { return nil }
        heldRecords = []
        commit(command.draft, answer: command.answer, completion: completion)
        return heldRecords?.removeFirst()
    }

    /// Commits the second half of a command on a pair, whose first half has made a record of the other director.
    fileprivate func commit(
        _ command: DirectorPair.CarriedOut, with record: LifeRecord, of pair: DirectorPair,
        _ completion: @escaping @Sendable (DirectorPair.Outcome) -> Void
    ) {
        let own = commitHeld(command) { error in completion(error.map { .failed($0) } ?? .stored) }
        guard let own else {
            // Its record was never handed over, and nothing of it was in flight before that one.
            pair.second.send { $0.settle(.failure(.unavailable("the other director has changed meanwhile"))) }
            return pair.abandon(completion)
        }
        environment.journal.append(own, with: record) { result in
            for host in [pair.first, pair.second] { host.send { $0.settle(result) } }
        }
        // Behind the results of a journal that has them at once.
        pair.release()
    }

    /// Hands over what was kept behind the record of a pair, and begins the commands that have waited.
    fileprivate func releaseRecords() {
        if let records = heldRecords {
            heldRecords = nil
            for record in records { store(record) }
        }
        endLongCommand()
    }
}
