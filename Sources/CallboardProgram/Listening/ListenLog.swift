import CallboardAPI
import CallboardClient
import Foundation
import Hosting

/// The listener's output, line by line.
struct ListenLog: Sendable {
    /// How lines are written.
    enum Style: Sendable {
        /// Sentences for people.
        case plain
        /// One JSON object for each event.
        case json
    }

    let style: Style
    /// How many columns a line may have for people; a machine gets everything.
    var width = 400
    /// How many elements of one event are listed for people.
    var itemLimit = 5

    /// The lines for an entry.
    func lines(for entry: ListenEntry) -> [String] {
        switch style {
        case .plain: plain(entry).map { TextWidth.fit(TextWidth.printable($0), width) }
        // Nothing is left in it that a terminal would act on.
        case .json: [TextWidth.escaped(JSON.object(json(entry)).text)]
        }
    }

    // MARK: For people

    private func plain(_ entry: ListenEntry) -> [String] {
        switch entry {
        case .event(let reception): plain(reception)
        case .refused(let refusal, let time, let address):
            ["\(clock(time)) refused \(address) with \(refusal.status.code): \(refusal.reason)"]
        }
    }

    private func plain(_ reception: Reception) -> [String] {
        let event = reception.event
        let subject = EventText.subject(event).map { "  \($0)" } ?? ""
        var lines = ["\(clock(reception.time)) \(event.type)\(subject)"]
        if let items = event.items {
            lines += items.prefix(itemLimit).map { "  \(EventText.element($0))" }
            if items.count > itemLimit { lines.append("  and \(Count.grouped(items.count - itemLimit)) more") }
        }
        lines.append("  " + (EventText.origin(event) + delivery(reception)).joined(separator: ", "))
        if let parameters = event.data["parameters"] { lines.append("  parameters \(parameters.text)") }
        lines.append("  " + answer(reception.answer))
        return lines
    }

    private func delivery(_ reception: Reception) -> [String] {
        var parts: [String] = []
        if reception.path != "/" { parts.append("at \(reception.path)") }
        if let id = reception.id { parts.append(reception.attempt > 1 ? "\(id), attempt \(reception.attempt)" : id) }
        if let reported = reception.event.reported {
            let age = reception.time.timeIntervalSince(reported)
            // What comes at once needs no comment; what was tried before this listener was started does.
            if age >= 2 { parts.append("reported \(LogQuantity.text(.seconds(age.rounded()))) ago") }
        }
        parts.append("signature \(reception.signature.rawValue)")
        return parts
    }

    private func answer(_ answer: PlannedAnswer) -> String {
        var text =
            answer.delay.map { "in \(LogQuantity.text($0)) answered \(answer.status)" } ?? "answered \(answer.status)"
        if let seconds = answer.retryAfter { text += ", again after \(seconds) s" }
        if let body = answer.body { text += " \(body.text)" }
        if let note = answer.note { text += " (\(note))" }
        return text
    }

    private func clock(_ time: Date) -> String {
        Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false).format(time)
    }

    // MARK: For machines

    private func json(_ entry: ListenEntry) -> JSONObject {
        switch entry {
        case .event(let reception): json(reception)
        case .refused(let refusal, let time, let address):
            [
                "time": timestamp(time), "from": .string(address), "status": number(refusal.status.code),
                "refused": .string(refusal.reason),
            ]
        }
    }

    private func json(_ reception: Reception) -> JSONObject {
        let answer = reception.answer
        var object: JSONObject = [
            "time": timestamp(reception.time), "event": .string(reception.event.type),
            "path": .string(reception.path), "id": reception.id.map { .string($0) } ?? .null,
            "attempt": number(reception.attempt), "signature": .string(reception.signature.rawValue),
            "status": number(answer.status),
        ]
        object["answer"] = answer.body
        object["delayMilliseconds"] = answer.delay.map { number(Int($0 / .milliseconds(1))) }
        object["message"] = reception.event.message
        return object
    }

    private func timestamp(_ time: Date) -> JSON {
        .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(time))
    }

    private func number(_ value: Int) -> JSON { .number(JSONNumber(value)) }
}
