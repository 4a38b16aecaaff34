/// The received messages and their outcomes, in numbers.
struct ListenSummary: Sendable, Equatable, CustomStringConvertible {
    /// Events by the status that they were answered with.
    private(set) var events: [Int: Int] = [:]
    /// Events whose answer is held back, or was when the listener ended.
    private(set) var unanswered = 0
    /// Requests that were no event, or not from whom they should be, by their status.
    private(set) var refusals: [Int: Int] = [:]

    mutating func noteEvent() { unanswered += 1 }

    mutating func noteAnswer(_ status: Int) {
        unanswered -= 1
        events[status, default: 0] += 1
    }

    mutating func noteRefusal(_ status: Int) { refusals[status, default: 0] += 1 }

    /// The numbers in a sentence, such as `3 events: 2 answered 204, 1 answered 500; 1 request refused: 1 with 401`.
    var description: String {
        var parts = Self.parts(events) { "\($0) answered \($1)" }
        if unanswered > 0 { parts.append("\(Count.grouped(unanswered)) not answered") }
        var text = Self.text(Count.of(Self.total(events) + unanswered, "event"), parts)
        if !refusals.isEmpty {
            let refused = Count.of(Self.total(refusals), "request") + " refused"
            text += "; " + Self.text(refused, Self.parts(refusals) { "\($0) with \($1)" })
        }
        return text
    }

    private static func total(_ counts: [Int: Int]) -> Int { counts.values.reduce(0, +) }

    private static func parts(_ counts: [Int: Int], _ part: (String, Int) -> String) -> [String] {
        counts.sorted { $0.key < $1.key }.map { part(Count.grouped($0.value), $0.key) }
    }

    private static func text(_ total: String, _ parts: [String]) -> String {
        parts.isEmpty ? total : "\(total): \(parts.joined(separator: ", "))"
    }
}
