import Directors
import Hosting
import JSONValues

/// The outcome of an event that a UI has reported or asked.
enum EventOutcome {
    /// It was refused.
    case refused(Problem)
    /// Its hooks' targets will be told: the identifiers of the deliveries; the reason, if there are none.
    case notified([String], reason: String?)
    /// Its hooks' targets were asked, each about its elements.
    case answered([ResolvedEvent], [[EventAnswer]])
}

extension EventOutcome {
    /// Appends the outcome: a `problem`; `delivery` or `deliveries`; an answer, or the `values` of several.
    fileprivate func encode(to writer: inout JSONWriter, for call: Call) {
        switch self {
        case .refused(let problem):
            writer.object { writer in
                writer.key("problem")
                writer.raw(problem.told(to: call).body(instance: call.instance))
            }
        case .notified(let ids, let reason):
            writer.object { writer in
                if ids.count > 1 {
                    writer.key("deliveries")
                    writer.array { writer in for id in ids { writer.string(id) } }
                } else {
                    writer.key("delivery")
                    if let id = ids.first { writer.string(id) } else { writer.null() }
                }
                if let reason { writer.member("reason", reason) }
            }
        case .answered(let events, let answers):
            if let first = events.first, first.isBatch {
                let list = Self.inOrder(events, answers)
                writer.raw(ListForm.answers.list(list) { $0.encode(to: &$1) })
            } else if let answer = answers.first?.first {
                answer.encode(to: &writer)
            } else {
                writer.raw(ListForm.answers.list([EventAnswer]()) { $0.encode(to: &$1) })
            }
        }
    }

    /// Puts the answers of several hooks into the order in which the UI has named the elements.
    private static func inOrder(_ events: [ResolvedEvent], _ answers: [[EventAnswer]]) -> [EventAnswer] {
        zip(events, answers).flatMap { event, answers in zip(event.items.map(\.position), answers) }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension Reply {
    /// The answer to a request with one event that was not refused.
    init(_ outcome: EventOutcome, to call: Call) {
        var writer = JSONWriter()
        outcome.encode(to: &writer, for: call)
        if case .notified = outcome {
            self.init(status: .accepted, body: writer.bytes)
        } else {
            self.init(body: writer.bytes)
        }
    }

    /// The answer to a request with several events: `{"outcomes": […]}`, one for each in their order.
    init(_ outcomes: [EventOutcome], to call: Call) {
        self.init(body: ListForm.outcomes.list(outcomes) { $0.encode(to: &$1, for: call) })
    }
}
