/// Which batches of a load are in flight, which are to be sent, and how far the list is complete.
struct Overlap {
    /// The most batches in flight: one that the server stores, and one that it performs.
    private static let limit = 2

    private let count: Int
    private var started = 1
    /// The batches in flight, and whether all before each were in when it was sent.
    private var inFlight: [Int: Bool] = [:]
    private var refused: Set<Int> = []
    private var ahead: Set<Int> = []
    private var isStopped = false

    /// How many batches are in, without a gap.
    private(set) var accepted = 1

    /// Starts with so many batches, of which the first is in.
    init(count: Int) {
        self.count = count
    }

    /// Whether nothing is in flight and nothing more is to be sent.
    var isOver: Bool { inFlight.isEmpty && (isStopped || accepted == count) }

    /// Whether a batch is in while one before it is not.
    var isOutOfOrder: Bool { !ahead.isEmpty }

    /// The batch to be sent now; nil where one that is in flight has to be waited for.
    mutating func next() -> Int? {
        guard !isStopped, inFlight.count < Self.limit, let position = refused.min() ?? following else { return nil }
        // One that was refused has come before the batch in front of it, and waits until that one is in: it is sent twice
        // at most.
        let mayBeEarly = inFlight[position - 1] != nil && !refused.contains(position)
        guard position == accepted || mayBeEarly else { return nil }
        inFlight[position] = position == accepted
        if refused.remove(position) == nil { started += 1 }
        return position
    }

    private var following: Int? { started < count ? started : nil }

    /// Takes note of the answer to a batch.
    mutating func end(_ position: Int, isAccepted: Bool) {
        let wasInOrder = inFlight.removeValue(forKey: position) ?? false
        if isAccepted {
            ahead.insert(position)
        } else if wasInOrder {
            isStopped = true
        } else {
            refused.insert(position)
        }
        while ahead.remove(accepted) != nil { accepted += 1 }
    }
}
