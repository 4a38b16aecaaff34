/// What came and what became of it, in numbers.
struct ListenSummary: Sendable, Equatable, CustomStringConvertible {
    /// Events by the status that they were answered with.
    private(set) var events: [Int: Int] = [:]
    /// Requests that were no event, or not from whom they should be, by their status.
    private(set) var refusals: [Int: Int] = [:]

    mutating func noteEvent(answered status: Int) { events[status, default: 0] += 1 }

    mutating func noteRefusal(_ status: Int) { refusals[status, default: 0] += 1 }

    /// The numbers in a sentence, such as `3 events: 2 answered 204, 1 answered 500; 1 request refused: 1 with 401`.
    var description: String {
        var text = Self.text(events, "event") { "\($0) answered \($1)" }
        if !refusals.isEmpty { text += "; " + Self.text(refusals, "request", " refused") { "\($0) with \($1)" } }
        return text
    }

    private static func text(
        _ counts: [Int: Int], _ noun: String, _ verb: String = "", _ part: (String, Int) -> String
    ) -> String {
        let total = Count.of(counts.values.reduce(0, +), noun) + verb
        guard !counts.isEmpty else { return total }
        let parts = counts.sorted { $0.key < $1.key }.map { part(Count.grouped($0.value), $0.key) }
        return "\(total): \(parts.joined(separator: ", "))"
    }
}
