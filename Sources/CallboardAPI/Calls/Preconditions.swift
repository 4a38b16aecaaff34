import HTTPTypes

/// Conditional requests (RFC 9110, section 13) on entity tags of the form `"r<revision>"`.
enum Preconditions {
    /// The entity tag of a working state.
    static func tag(revision: Int) -> String { "\"r\(revision)\"" }

    /// The entity tag of a published state.
    static func tag(version: Int) -> String { "\"v\(version)\"" }

    /// Refuses a mutation whose `If-Match` names another state.
    ///
    /// - Throws: 412, which names both tags.
    static func check(ifMatch field: String?, tag: String) throws(Problem) {
        guard let field, !matches(field, tag, weak: false) else { return }
        throw Problem(
            .preconditionFailed, "revision-mismatch", "The director has changed",
            "If-Match is \(field) and the director is at \(tag); read it again and decide anew.")
    }

    /// Whether a reader's `If-None-Match` says that it already holds this state.
    static func isFresh(ifNoneMatch field: String?, tag: String) -> Bool {
        field.map { matches($0, tag, weak: true) } ?? false
    }

    /// Looks a tag up in a list; weak comparison takes `W/"…"` for `"…"`.
    private static func matches(_ list: String, _ tag: String, weak: Bool) -> Bool {
        list.split(separator: ",").contains { part in
            var candidate = part.trimmingSpaces
            if candidate == "*" { return true }
            if weak, candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == tag
        }
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    var trimmingSpaces: Substring {
        var text = self
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
