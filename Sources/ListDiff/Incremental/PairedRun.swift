/// Neighbouring elements of one list that are paired, in their order, with neighbouring elements of another.
@usableFromInline
@frozen
struct PairedRun: Equatable {
    /// The position of the first of them before.
    @usableFromInline let source: Int

    /// The position of the first of them after.
    @usableFromInline let target: Int

    /// How many they are.
    @usableFromInline var count: Int

    @inlinable
    init(source: Int, target: Int, count: Int) {
        self.source = source
        self.target = target
        self.count = count
    }

    /// Whether a run goes on, on both sides, where this one ends.
    @inlinable
    func isFollowed(by run: PairedRun) -> Bool {
        source + count == run.source && target + count == run.target
    }
}

extension [PairedRun] {
    /// Adds a run behind all others in the source; a run that continues the last one is merged with it.
    @inlinable
    mutating func extend(by run: PairedRun) {
        if let last, last.isFollowed(by: run) {
            self[count - 1].count += run.count
        } else {
            append(run)
        }
    }

    /// Adds runs; both ascend in the source.
    ///
    /// - Complexity: O(*n*) for the runs on both sides.
    @inlinable
    mutating func merge(_ others: [PairedRun]) {
        if isEmpty {
            self = others
            return
        }
        if others.isEmpty {
            return
        }
        var merged: [PairedRun] = []
        merged.reserveCapacity(count + others.count)
        var next = 0
        for run in self {
            while next < others.count, others[next].source < run.source {
                merged.extend(by: others[next])
                next += 1
            }
            merged.extend(by: run)
        }
        for run in others[next...] {
            merged.extend(by: run)
        }
        self = merged
    }

    /// Whether the runs are in the same order on both sides.
    @inlinable
    var isInOrder: Bool {
        for index in indices.dropFirst() where self[index].target < self[index - 1].target {
            return false
        }
        return true
    }
}
