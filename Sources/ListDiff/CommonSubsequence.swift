/// A search for a longest, or heaviest, common subsequence by way of the pairs of equal occurrences (Hunt and Szymanski).
///
/// A list with few duplicates has about as many pairs as elements. One with very many has up to the product of its
/// sides, so beyond a budget only those pairs are looked at whose occurrences are about as many from the first, or
/// from the last, on both sides; pairing in turn, from either end, is always among them.
struct CommonSubsequence<Tails: IncreasingRuns> {
    /// Pairs that are looked at in any case: enough for lists of 256 elements that are all equal.
    static var freePairs: Int { 65_536 }
    /// Pairs that are looked at for each element beyond those.
    static var pairsPerElement: Int { 32 }
    /// How far apart the turns of two occurrences may be when the budget does not allow for all.
    static var reach: Int { 8 }

    /// One pair at the end of a run, and the pair before it.
    private struct Link {
        let source: Int32
        let target: Int32
        let previous: Int32
    }

    private let occurrences: Occurrences
    private let isExact: Bool
    private var links: [Link] = []
    private var tails: Tails

    /// - Parameters:
    ///   - occurrences: What the two sides have in common.
    ///   - elements: How many elements the two sides have together.
    ///   - tails: No runs yet.
    init(_ occurrences: Occurrences, elements: Int, tails: Tails) {
        self.occurrences = occurrences
        self.tails = tails
        isExact = occurrences.pairCount <= Self.freePairs + Self.pairsPerElement * elements
    }

    /// Looks at the pairs, source by source, and for each from the last target to the first: a pair then never follows
    /// another one of the same source.
    ///
    /// - Parameter weights: The weight of each source; none if each weighs one.
    mutating func run(weights: ArraySlice<Int32>) {
        var turns = Array(repeating: 0, count: occurrences.sourceCounts.count)
        for (source, label) in occurrences.labels.enumerated() {
            let count = occurrences.targetCount(label)
            let turn = turns[label]
            turns[label] += 1
            let weight = weights.isEmpty ? 1 : weights[weights.startIndex + source]
            if isExact {
                extend(source, weight, label, 0..<count)
            } else {
                extendNearby(source, weight, label, turn, count)
            }
        }
    }

    private mutating func extendNearby(_ source: Int, _ weight: Int32, _ label: Int, _ turn: Int, _ count: Int) {
        let fromLast = turn + count - occurrences.sourceCounts[label]
        let near = max(turn, fromLast)
        let far = min(turn, fromLast)
        let upper = (near - Self.reach)..<(near + Self.reach + 1)
        let lower = (far - Self.reach)..<min(far + Self.reach + 1, upper.lowerBound)
        extend(source, weight, label, upper.clamped(to: 0..<count))
        extend(source, weight, label, lower.clamped(to: 0..<count))
    }

    /// Tries the pairs of one source with the occurrences in a range of turns.
    private mutating func extend(_ source: Int, _ weight: Int32, _ label: Int, _ turns: Range<Int>) {
        let start = occurrences.starts[label]
        for turn in turns.reversed() {
            let target = occurrences.positions[start + turn]
            let link = Int32(truncatingIfNeeded: links.count)
            if let previous = tails.extend(to: target, by: link, weighing: weight) {
                links.append(Link(source: Int32(truncatingIfNeeded: source), target: target, previous: previous))
            }
        }
    }

    /// The pairs of the best run found, from the last to the first.
    func best() -> [(source: Int, target: Int)] {
        var result: [(source: Int, target: Int)] = []
        var link = tails.last
        while link >= 0 {
            let pair = links[Int(link)]
            result.append((Int(pair.source), Int(pair.target)))
            link = pair.previous
        }
        return result
    }
}
