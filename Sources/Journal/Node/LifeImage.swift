/// The rows of all lives that go on, as the last look at everything has left them.
///
/// A look at everything reads the rows that have changed since, and puts them in here. Other rows are compared again only for
/// the lives that this node writes, and those that are not settled. Everything is read where a change may have been missed:
/// over a new connection, which may lead to another server; after a long time, since notes of changes are deleted then; and
/// once in a while, whatever the notes say.
package struct LifeImage: Sendable {
    /// How long after a look the notes of changes are read from there on.
    package static let patience = Duration.seconds(30)
    /// How long every node has seen a change when its note is deleted, at least.
    package static let retention = Duration.seconds(60)
    /// How long after everything was read it is read again.
    package static let trust = Duration.seconds(60)

    /// The end of what a look has seen, by which the next one begins.
    private struct End: Sendable {
        let position: Int
        /// When the look began.
        let began: ContinuousClock.Instant
        /// When the last look began that has read everything.
        let wholeAt: ContinuousClock.Instant
    }

    private var rows: [Int: LifeRow] = [:]
    private var end: End?

    /// The position among the notes from which a look has to read; nil where it has to read everything.
    package func position(_ now: ContinuousClock.Instant) -> Int? {
        guard let end, now - end.began < Self.patience, now - end.wholeAt < Self.trust else { return nil }
        return end.position
    }

    /// Has the next look read everything.
    mutating func forget() { end = nil }

    /// Whether a life goes on, as the last look at everything has left it.
    func has(_ life: Int) -> Bool { rows[life] != nil }

    /// Takes over what a look has read.
    ///
    /// - Parameters:
    ///   - found: What was read: everything, or what has changed.
    ///   - held: The lives whose rows are wanted besides what has changed.
    ///   - began: When the look began.
    ///   - now: When it was read.
    /// - Returns: The rows that were read, and those of the lives that are wanted besides; nil where notes may have been
    ///   deleted before they were read.
    /// - Complexity: O(*r* + *h*) in the rows that were read and the lives that are wanted besides.
    mutating func note(
        _ found: FollowerMachine.Found, besides held: Set<Int>, began: ContinuousClock.Instant,
        _ now: ContinuousClock.Instant
    ) -> [FollowerMachine.FoundRow]? {
        guard let position = found.position else {
            forget()
            return found.rows
        }
        var wholeAt = began
        if let changed = found.changed {
            guard let end, now - end.began < Self.retention else { return nil }
            wholeAt = end.wholeAt
            for id in changed { rows[id] = nil }
        } else {
            rows = [:]
        }
        for case .life(let row) in found.rows { rows[row.id] = row }
        end = End(position: position, began: began, wholeAt: wholeAt)
        guard let changed = found.changed else { return found.rows }
        return found.rows + held.lazy.filter { !changed.contains($0) }.compactMap { rows[$0].map { .life($0) } }
    }
}
