import DirectorLife
import Directors
import Hosting
import Journal
import Webhooks

/// The plan for one event of a request.
enum EventPlan {
    /// It is refused.
    case refused(Problem)
    /// Its hooks' targets are told: the drafts of its deliveries among those of the request, and the reason if there are none.
    case notification(drafts: Range<Int>, reason: String?)
    /// Its hooks' targets are asked, each with an identifier; one question stands for each hook that is concerned.
    case questions([(event: ResolvedEvent, id: String)])

    /// Plans an event that has been resolved.
    ///
    /// - Parameters:
    ///   - events: The event, once for each hook that is concerned.
    ///   - key: What tells the event from others; nil gives identifiers of chance.
    ///   - ids: Makes identifiers.
    ///   - moment: The time that messages tell.
    ///   - drafts: Gets the deliveries.
    init(
        _ events: [ResolvedEvent], key: EventIDs.Key?, ids: EventIDs, at moment: WallTime,
        _ drafts: inout [DeliveryDraft]
    ) {
        guard events.first?.definition.answerType == nil else {
            self = .questions(events.enumerated().map { ($1, ids.id(key, $0)) })
            return
        }
        let start = drafts.count
        for event in events {
            guard let hook = event.hook, !hook.isDisabled, let address = event.address else { continue }
            drafts.append(
                DeliveryDraft(
                    id: ids.id(key, drafts.count - start), address: address, body: event.message(at: moment),
                    coalesce: hook.coalesce))
        }
        let reason = events.compactMap { $0.hook?.disabledReason }.first
        self = .notification(
            drafts: start..<drafts.count,
            reason: drafts.count > start ? nil : reason.map { "the hook is disabled: \($0)" })
    }

    /// The questions that are to be asked; none for a notification.
    var questions: [(event: ResolvedEvent, id: String)] {
        if case .questions(let questions) = self { questions } else { [] }
    }

    /// The outcomes of the events.
    ///
    /// - Parameters:
    ///   - plans: The events of a request.
    ///   - deliveries: The identifiers of the deliveries, one for each draft.
    ///   - answers: The answers to all questions, in their order.
    static func outcomes(
        of plans: [EventPlan], _ deliveries: [String], _ answers: [[EventAnswer]]
    ) -> [EventOutcome] {
        var answers = answers[...]
        return plans.map { plan in
            switch plan {
            case .refused(let problem): return .refused(problem)
            case .notification(let drafts, let reason): return .notified(Array(deliveries[drafts]), reason: reason)
            case .questions(let questions):
                defer { answers = answers.dropFirst(questions.count) }
                return .answered(questions.map(\.event), Array(answers.prefix(questions.count)))
            }
        }
    }
}

/// Makes the identifiers of a request's messages to hooks.
///
/// The same key gives the same identifier always: a receiver recognizes a repetition even after the server has forgotten it.
/// A key that comes again with another request, once it is forgotten, gives another: a delivery may wait for longer than keys
/// are kept.
struct EventIDs {
    /// The values that tell an event from others.
    struct Key: Sendable {
        fileprivate let name: String
        fileprivate let fingerprint: UInt64
        fileprivate let position: Int

        /// The key of an event that has one of its own.
        ///
        /// - Parameters:
        ///   - name: The key.
        ///   - fingerprint: A hash of the event, the same in every run of the program.
        init(_ name: String, fingerprint: UInt64, position: Int = 0) {
            (self.name, self.fingerprint, self.position) = (name, fingerprint, position)
        }
    }

    /// The director's life.
    let epoch: String
    /// The request's key.
    let request: CommandKey?

    /// The key of an event that has none of its own: the request's and the event's position; nil where the request has none.
    func key(at position: Int) -> Key? {
        request.map { Key($0.name, fingerprint: $0.fingerprint, position: position * EventReport.maximumPaths) }
    }

    /// The identifier of an event's message to one of its hooks.
    func id(_ key: Key?, _ hook: Int) -> String {
        guard let key else { return Delivery.newID() }
        let halves = [UInt64(0), 1].map { seed in
            var hash = StableHash(seed: seed)
            hash.combine(epoch)
            hash.combine(key.name)
            hash.combine(Int(bitPattern: UInt(key.fingerprint)))
            hash.combine(key.position + hook)
            let digits = String(hash.value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "msg_" + halves.joined()
    }
}
