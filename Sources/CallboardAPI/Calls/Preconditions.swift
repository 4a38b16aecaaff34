import HTTPTypes
import JSONValues

/// Conditional requests (RFC 9110, section 13), evaluated in the order of section 13.2.2.
///
/// The tags are those of `EntityTag`.
enum Preconditions {
    /// Refuses a mutation whose `If-Match` or `If-None-Match` does not hold: 412.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - tag: The tag of the working state; nil where there is no director, which no tag matches. In `If-Match` it also
    ///     stands for the tag of a director that was read at this revision, whatever was published since: a reload does
    ///     not change what a mutation changes.
    ///   - isThere: Whether the resource that the request is for exists; asked only where there is a condition. It throws
    ///     what the request would be refused with all the same, which comes before any condition (section 13.2.1).
    static func check(
        _ call: Call, tag: @autoclosure () -> String?, isThere: () throws(Problem) -> Bool
    ) throws(Problem) {
        let (ifMatch, ifNoneMatch) = (call[.ifMatch], call[.ifNoneMatch])
        guard ifMatch != nil || ifNoneMatch != nil else { return }
        let (exists, tag) = (try isThere(), tag())
        // A tag is the director's: who creates a resource by it asks that the director has not changed.
        if let ifMatch, !tags(ifMatch).contains(where: { $0 == "*" ? exists : isMatch($0, tag) }) {
            throw changed(ifMatch, tag)
        }
        if let ifNoneMatch, exists, tags(ifNoneMatch).contains(where: { $0 == "*" || isMatch($0.strong, tag) }) {
            throw Problem(
                .alreadyThere,
                "If-None-Match is \(ifNoneMatch.cut(toBytes: 200)), and the resource is there; the director is at "
                    + "\(tag ?? "no state")."
            ).tellingContent
        }
    }

    /// Whether a reader's `If-None-Match` says that it already holds this state, which is then 304.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - tag: The tag of the representation; nil without one, which matches `*` alone.
    ///   - subject: The tagged resource's name in the problem.
    /// - Throws: 412 if `If-Match` names another state.
    static func isFresh(_ call: Call, tag: String?, of subject: String = "director") throws(Problem) -> Bool {
        if let ifMatch = call[.ifMatch], !tags(ifMatch).contains(where: { $0 == "*" || $0 == tag ?? "" }) {
            throw changed(ifMatch, tag, subject)
        }
        guard let ifNoneMatch = call[.ifNoneMatch] else { return false }
        return tags(ifNoneMatch).contains { $0 == "*" || $0.strong == tag ?? "" }
    }

    private static func changed(_ ifMatch: String, _ tag: String?, _ subject: String = "director") -> Problem {
        let state = tag.map { "the \(subject) is at \($0)" } ?? "there is nothing that it could match"
        return Problem(
            .revisionMismatch, "If-Match is \(ifMatch.cut(toBytes: 200)) and \(state); read it again and decide anew."
        ).tellingContent
    }

    /// Whether a tag of a list is the tag of the working state, or that of the director as it was read then.
    private static func isMatch(_ candidate: Substring, _ tag: String?) -> Bool {
        guard let tag else { return false }
        return candidate == tag || candidate.hasPrefix(tag.dropLast() + "-v")
    }

    private static func tags(_ list: String) -> [Substring] {
        list.split(separator: ",").map(\.trimmingSpaces)
    }
}

extension Substring {
    /// The tag for weak comparison, which takes `W/"…"` for `"…"` (RFC 9110, section 8.8.3.2).
    fileprivate var strong: Substring {
        hasPrefix("W/") ? dropFirst(2) : self
    }

    /// The text without spaces and tabs at its ends.
    var trimmingSpaces: Substring {
        var text = self
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
