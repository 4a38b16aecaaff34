/// The server's answer to a question.
public struct EventAnswer: Sendable, Hashable {
    /// Who has given the answer.
    public enum Source: Sendable, Hashable {
        /// A hook.
        case hook
        /// The default: the hook's own, or UIKit's.
        case `default`
        /// A source that this version of the client does not know.
        case other(String)
    }

    /// The answer, in the form of the event's type.
    public let value: JSON
    /// Who has given it.
    public let source: Source
    /// Why a hook that was asked has not answered; nil where it has, and where there is none.
    public let reason: String?

    /// Makes an answer.
    public init(value: JSON, source: Source, reason: String? = nil) {
        self.value = value
        self.source = source
        self.reason = reason
    }
}

extension EventAnswer {
    init(_ reader: JSONReader) throws(RepresentationError) {
        value = try reader.present("value")
        source =
            switch try reader.member("source").string() {
            case "hook": .hook
            case "default": .default
            case let other: .other(other)
            }
        reason = try reader.optional("reason")?.string()
    }
}

/// The outcome of one event among several.
public enum EventOutcome: Sendable, Hashable {
    /// The server has taken the report: the identifiers of its deliveries, one for each hook; none where no hook listens.
    case reported(deliveries: [String])
    /// The answers, one for each element that the question was about.
    case answered([EventAnswer])
    /// The server has refused this event; the others are not touched by that.
    case refused(Problem)
}

extension EventOutcome {
    init(_ reader: JSONReader) throws(RepresentationError) {
        if let problem = reader.optional("problem") {
            self = .refused(Problem(problem.value, status: try problem.member("status").int()))
        } else if let values = reader.optional("values") {
            self = .answered(try values.map { (answer) throws(RepresentationError) in try EventAnswer(answer) })
        } else if reader.optional("source") != nil {
            self = .answered([try EventAnswer(reader)])
        } else if let deliveries = reader.optional("deliveries") {
            self = .reported(
                deliveries: try deliveries.map { (delivery) throws(RepresentationError) in try delivery.string() })
        } else {
            let delivery = try reader.optional("delivery")?.string()
            self = .reported(deliveries: delivery.map { [$0] } ?? [])
        }
    }
}
