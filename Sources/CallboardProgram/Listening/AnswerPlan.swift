import CallboardClient
import Directors
import Notation

/// The listener's answers by event.
struct AnswerPlan: Sendable, Equatable {
    /// How events are failed on purpose.
    struct Failure: Sendable, Equatable {
        /// The status.
        var status = 500
        /// How many events are failed before all is well; nil for every one.
        var count: Int?
        /// The value of `Retry-After` in seconds; nil for none.
        var retryAfter: Int?
    }

    /// The answers to questions by the event's name.
    var values: [Name: AnswerTemplate] = [:]
    /// Operations that are asked for.
    var operations: AnswerTemplate?
    /// Whether a reload is asked for.
    var reloads = false
    /// The events that operations, reload, failures and delay are for; nil for all.
    var events: Set<Name>?
    /// How events are failed; nil for not at all.
    var failure: Failure?
    /// How long answers are held back; nil for not at all.
    var delay: Duration?
    /// The longest answer, and the most that names stand for in one, in bytes: far more than a server reads.
    var maximumLength = 16 << 20

    /// Whether operations, reload, failures and delay are meant for an event.
    func applies(to event: ReceivedEvent) -> Bool { events?.contains(event.type) ?? true }

    /// The answer to an event.
    ///
    /// - Parameter failures: How many events that are meant have been failed so far.
    func answer(to event: ReceivedEvent, failures: Int) -> PlannedAnswer {
        let applies = applies(to: event)
        var answer: PlannedAnswer
        if applies, let failure, failures < failure.count ?? .max {
            answer = PlannedAnswer(status: failure.status, retryAfter: failure.retryAfter)
        } else {
            answer = content(for: event, withOperations: applies)
        }
        if applies { answer.delay = delay }
        return answer
    }

    private func content(for event: ReceivedEvent, withOperations: Bool) -> PlannedAnswer {
        let isQuestion = EventNames.event(event.type)?.answerType != nil
        var body = JSONObject()
        var note: String?
        do throws(Unanswerable) {
            if let template = values[event.type] { try add(template, for: event, to: &body) }
            if withOperations { try addOperations(for: event, to: &body) }
        } catch {
            body = [:]
            note = error.reason
        }
        if isQuestion, values[event.type] == nil {
            note = "the default counts: --answer \(event.type)=VALUE answers it"
        }
        // A question wants an object, even one that answers nothing.
        guard isQuestion || !body.isEmpty else { return PlannedAnswer(status: 204, note: note) }
        return PlannedAnswer(status: 200, body: .object(body), note: note)
    }

    /// Why an answer cannot be made.
    private struct Unanswerable: Error {
        let reason: String
    }

    private func add(
        _ template: AnswerTemplate, for event: ReceivedEvent, to body: inout JSONObject
    ) throws(Unanswerable) {
        guard let items = event.items else {
            var room = maximumLength
            body["value"] = try value(of: template, in: [event.data], &room)
            return
        }
        var values: [JSON] = []
        var (length, room) = (0, maximumLength)
        for item in items {
            let value = try value(of: template, in: [item, event.data], &room)
            length += value.utf8.count
            guard length <= maximumLength else { throw Self.tooLong }
            values.append(value)
        }
        body["values"] = .array(values)
    }

    private func addOperations(for event: ReceivedEvent, to body: inout JSONObject) throws(Unanswerable) {
        var room = maximumLength
        if let operations { body["operations"] = try value(of: operations, in: [event.data], &room) }
        if reloads { body["reload"] = true }
    }

    private static let tooLong = Unanswerable(reason: "the answer would be too long")

    private func value(
        of template: AnswerTemplate, in scopes: [JSON], _ room: inout Int
    ) throws(Unanswerable) -> JSON {
        do throws(AnswerTemplate.Fault) {
            return try template.value(in: scopes, room: &room)
        } catch .missing(let name) {
            throw Unanswerable(reason: "answered with nothing: the event has no \(name)")
        } catch {
            throw Self.tooLong
        }
    }
}
