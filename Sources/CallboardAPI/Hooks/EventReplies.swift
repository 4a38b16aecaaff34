import Directors
import Hosting
import JSONValues

extension Reply {
    /// The answer to a question about one thing.
    init(_ answer: EventAnswer) {
        var writer = JSONWriter()
        answer.encode(to: &writer)
        self.init(body: writer.bytes)
    }

    /// The answers to a question about several elements, in the order in which they were named.
    init(_ answers: [EventAnswer]) {
        self.init(body: ListForm.answers.list(answers) { $0.encode(to: &$1) })
    }

    /// The answer to a notification: the identifiers of its deliveries, one for each hook; the reason, if there are
    /// none.
    init(deliveries ids: [String], reason: String?) {
        var writer = JSONWriter()
        writer.beginObject()
        if ids.count > 1 {
            writer.key("deliveries")
            writer.beginArray()
            for id in ids { writer.string(id) }
            writer.endArray()
        } else {
            writer.key("delivery")
            if let id = ids.first { writer.string(id) } else { writer.null() }
        }
        if let reason { writer.member("reason", reason) }
        writer.endObject()
        self.init(status: .accepted, body: writer.bytes)
    }
}
