/// Which occurrence continues which, and which of them stay: the part of a difference that knows numbers only.
///
/// Within a span, as many equal numbers as possible are paired, with as few moving pairs as possible. The remaining
/// numbers are paired across spans, and move. All arrays are indexed by position on the source's or the target's side.
@usableFromInline
struct Alignment {
    /// Stands for a position without a partner, and for a number that the other side does not have.
    @usableFromInline static let none: Int32 = -1

    /// For each source position, the target position that continues it, or `none`.
    @usableFromInline var targets: [Int32]
    /// For each target position, the source position that it continues, or `none`.
    @usableFromInline var sources: [Int32]
    /// For each source position that has a partner, whether it keeps its place among its neighbours.
    @usableFromInline var isStaying: [Bool]
    /// For each source position, how many elements it stands for; empty if each stands for one.
    let weights: [Int32]

    /// Pairs what is equal on the two sides.
    ///
    /// - Parameters:
    ///   - source: For each source position, the first position of an equal element.
    ///   - target: For each target position, the first source position of an equal element, or `none`.
    ///   - spans: The corresponding ranges of positions of both sides, in ascending order.
    ///   - weights: The number of elements of each source position, so that the fewest elements move; none if each is
    ///     one. A position that stands for more has a number of its own, and its partner in its own span.
    /// - Complexity: O(*n* log *n*) for *n* positions on both sides, and O(*n*) where nothing moves.
    @usableFromInline
    init(source: [Int32], target: [Int32], spans: [SectionSpan], weights: [Int32] = []) {
        precondition(target.count < Int(Int32.max), "a difference takes lists of fewer than 2^31 - 1 elements")
        targets = Array(repeating: Self.none, count: source.count)
        sources = Array(repeating: Self.none, count: target.count)
        isStaying = Array(repeating: false, count: source.count)
        self.weights = weights
        var queues = OccurrenceQueues(count: source.count)
        for span in spans where !span.source.isEmpty && !span.target.isEmpty {
            let order = pairInTurn(span, source, target, &queues)
            if order.isIncreasing {
                stayAll(span)
            } else if !stayBest(span), order.hasChoice {
                pairInOrder(span, source, target)
                _ = stayBest(span)
            }
        }
        if spans.count > 1 {
            pairLeftOver(source, target, &queues)
        }
    }

    mutating func pair(_ source: Int, _ target: Int) {
        targets[source] = Int32(truncatingIfNeeded: target)
        sources[target] = Int32(truncatingIfNeeded: source)
    }

    /// Pairs the first occurrence with the first, the second with the second and so on.
    ///
    /// - Returns: Whether the pairs are in the same order on both sides, and whether they could have been others.
    private mutating func pairInTurn(
        _ span: SectionSpan,
        _ source: [Int32],
        _ target: [Int32],
        _ queues: inout OccurrenceQueues
    ) -> (isIncreasing: Bool, hasChoice: Bool) {
        var isIncreasing = true
        var hasChoice = false
        for position in span.source.reversed() {
            queues.push(position, Int(source[position]))
        }
        var last = -1
        for position in span.target where target[position] != Self.none {
            let number = Int(target[position])
            guard let first = queues.pop(number) else {
                hasChoice = hasChoice || queues.isExhausted(number)
                continue
            }
            hasChoice = hasChoice || !queues.isExhausted(number)
            isIncreasing = isIncreasing && first > last
            last = first
            pair(first, position)
        }
        for position in span.source {
            queues.clear(Int(source[position]))
        }
        return (isIncreasing, hasChoice)
    }

    /// Lets as many elements of the span stay as can; whether all of them do.
    private mutating func stayBest(_ span: SectionSpan) -> Bool {
        weights.isEmpty ? stayLongest(span) : stayHeaviest(span)
    }

    private mutating func stayAll(_ span: SectionSpan) {
        for position in span.source {
            isStaying[position] = targets[position] != Self.none
        }
    }

    /// Pairs, across spans, what found no partner in its own.
    private mutating func pairLeftOver(_ source: [Int32], _ target: [Int32], _ queues: inout OccurrenceQueues) {
        for position in source.indices.reversed() where targets[position] == Self.none {
            queues.push(position, Int(source[position]))
        }
        for position in target.indices where sources[position] == Self.none && target[position] != Self.none {
            if let first = queues.pop(Int(target[position])) {
                pair(first, position)
            }
        }
    }
}

/// For each number, the positions that have it and are not used up yet, in ascending order.
struct OccurrenceQueues {
    private static let unseen: Int32 = -1
    private static let exhausted: Int32 = -2

    private var first: [Int32]
    private var next: [Int32]

    init(count: Int) {
        first = Array(repeating: Self.unseen, count: count)
        next = Array(repeating: Self.exhausted, count: count)
    }

    /// Puts a position before those that its number has already.
    @inline(__always)
    mutating func push(_ position: Int, _ number: Int) {
        next[position] = first[number] == Self.unseen ? Self.exhausted : first[number]
        first[number] = Int32(truncatingIfNeeded: position)
    }

    /// Takes the first position of a number.
    @inline(__always)
    mutating func pop(_ number: Int) -> Int? {
        let position = Int(first[number])
        guard position >= 0 else {
            return nil
        }
        first[number] = next[position]
        return position
    }

    /// Whether a number had positions and they are all used up.
    @inline(__always)
    func isExhausted(_ number: Int) -> Bool {
        first[number] == Self.exhausted
    }

    @inline(__always)
    mutating func clear(_ number: Int) {
        first[number] = Self.unseen
    }
}
