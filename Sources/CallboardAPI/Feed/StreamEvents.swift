import HTTPWire
import JSONValues

/// The events of a stream that are not a list's content: encoded here and nowhere else.
enum StreamEvents {
    /// `retry:` alone, the first thing on every stream: it reaches the client at once, through any proxy.
    static func preamble(retry: Duration) -> EventFrame {
        EventFrame(ServerSentEvent(retry: retry))
    }

    /// `resumed`: the client's copy is good, and what follows brings it from `from` to `version`.
    static func resumed(director: String, from: Int, version: Int, epoch: String) -> EventFrame {
        // The id stays at the version that the client holds until the changeset has arrived.
        frame("resumed", id: ResumeToken.part(epoch: epoch, version: from)) { writer in
            writer.member("director", director)
            writer.member("from", from)
            writer.member("version", version)
        }
    }

    /// `heartbeat` of a stream that follows one director, which it names where that may not be plain.
    static func heartbeat(director: String? = nil, version: Int, id: String?) -> EventFrame {
        frame("heartbeat", id: id) { writer in
            if let director { writer.member("director", director) }
            writer.member("version", version)
        }
    }

    /// `heartbeat` of a stream that follows several: the version of each by name.
    static func heartbeat(versions: [(name: String, version: Int)], id: String?) -> EventFrame {
        frame("heartbeat", id: id) { writer in
            writer.key("versions")
            writer.beginObject()
            for (name, version) in versions { writer.member(name, version) }
            writer.endObject()
        }
    }

    /// `end`: nothing more follows and the connection closes.
    ///
    /// - Parameter director: the director that is gone; `nil` where the whole stream ends for another reason.
    static func end(director: String?, reason: String, id: String?) -> EventFrame {
        frame("end", id: id) { writer in
            if let director { writer.member("director", director) }
            writer.member("reason", reason)
        }
    }

    /// An event whose data is one JSON object.
    static func frame(_ event: String, id: String?, _ members: (inout JSONWriter) -> Void) -> EventFrame {
        var writer = JSONWriter()
        writer.beginObject()
        members(&writer)
        writer.endObject()
        return EventFrame(ServerSentEvent(event: event, data: writer.bytes, id: id))
    }
}
