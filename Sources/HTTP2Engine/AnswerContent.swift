/// The content of an answer that is still to be sent; empty before an answer is given and behind its end.
struct AnswerContent {
    /// The source of the next part; nil if there is none behind `part`.
    private(set) var source: (any HTTP2Source)?
    /// The part that is being sent, and what of it is still to be sent.
    private(set) var part: [UInt8] = []
    private(set) var rest = 0..<0
    /// The bytes of an announced length that are still to come from the source; -1 if no length was announced.
    private var remaining = -1
    private(set) var readiness = Readiness.ready

    /// The known state of a source's next part.
    enum Readiness: UInt8 {
        /// It may be there.
        case ready
        /// The source was asked, and was not woken since.
        case asked
        /// Nothing is behind what the source gave last, and it was not woken since.
        case drained
        /// The source had nothing at its last turn, and was not woken since.
        case pending
    }

    /// No content.
    init() {}

    /// Content that is there.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        (part, rest) = (bytes, range)
    }

    /// Content that comes from a source, of an announced length or without one.
    init(from source: any HTTP2Source, length: Int?) {
        (self.source, remaining) = (source, length ?? -1)
    }

    /// Whether nothing is left of it but its end.
    var isEmpty: Bool { rest.isEmpty && source == nil }

    // MARK: The source

    /// Takes note that the source has something; returns whether nghttp2 waits for that.
    mutating func wake() -> Bool {
        let isPending = readiness == .pending
        readiness = .ready
        return isPending
    }

    /// Takes note that the source is asked; returns false where it is known to have nothing, and is pending then.
    mutating func beginAsking() -> Bool {
        readiness = readiness == .drained ? .pending : .asked
        return readiness == .asked
    }

    /// Takes note that the source has nothing more, and is `next`, unless it was woken while it was asked.
    ///
    /// - Returns: Whether it was not woken.
    @discardableResult
    mutating func finishAsking(_ next: Readiness) -> Bool {
        guard readiness == .asked else { return false }
        readiness = next
        return true
    }

    /// Whether a length was announced.
    var hasLength: Bool { remaining >= 0 }

    /// Counts bytes of the source against the announced length; returns whether they are within it.
    mutating func count(_ bytes: Int) -> Bool {
        guard remaining >= bytes else { return false }
        remaining -= bytes
        return true
    }

    /// Ends the source; returns it, for the caller to let go of once the table has changed, and whether all of an announced
    /// length was given.
    mutating func endSource() -> (source: (any HTTP2Source)?, isWhole: Bool) {
        (source.take(), remaining <= 0)
    }

    // MARK: The part

    /// Keeps what of a part cannot be sent now.
    mutating func hold(_ bytes: [UInt8], _ range: Range<Int>) {
        (part, rest) = (bytes, range)
    }

    /// Takes up to `maximum` bytes of the part; the array is let go of with the last of them.
    mutating func takePart(_ maximum: Int) -> (bytes: [UInt8], range: Range<Int>) {
        let (bytes, taken) = (part, rest.prefix(maximum))
        rest = taken.upperBound..<rest.upperBound
        if rest.isEmpty { part = [] }
        return (bytes, taken)
    }
}
