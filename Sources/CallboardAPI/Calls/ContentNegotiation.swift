import HTTPServer
import HTTPTypes

/// Content negotiation: the accepted and the sent media types (RFC 9110, section 12).
enum ContentNegotiation {
    /// The media type of event streams.
    static let eventStream = "text/event-stream"

    /// Checks what can be checked before anyone acts: what the client takes, what it sends, and the query.
    ///
    /// - Returns: The query, checked against the route.
    static func check(_ exchange: Exchange, _ path: RequestPath, for route: Route) throws(Problem) -> Query {
        let fields = exchange.head.fields
        if route.isNegotiated, let accept = fields.value(of: .accept), accept != "*/*" {
            guard accepts(accept, anyOf: route.mediaTypes) else {
                throw Problem(
                    .notAcceptable,
                    "This resource answers \(route.mediaTypes.joined(separator: " or ")); Accept takes none of them.")
            }
        }
        if route.takesBody, exchange.hasContent {
            try check(contentEncoding: fields.value(of: .contentEncoding))
            try check(
                contentType: fields.value(of: .contentType), isMergePatch: route.takesMergePatch,
                isLines: route.takesLines)
        }
        return path.query.isEmpty && !route.needsQuery ? Query() : try Query(path.query, allowed: route.query)
    }

    /// Whether `Accept` takes one of these media types.
    static func accepts(_ accept: String?, anyOf types: [String]) -> Bool {
        guard let accept, !accept.isEmpty else { return true }
        let ranges = ranges(accept)
        return types.contains { type in
            let major = type.prefix { $0 != "/" }
            // The most specific range decides (RFC 9110, section 12.5.1).
            for range in [type, "\(major)/*", "*/*"] {
                if let match = ranges.first(where: { $0.type == range }) { return match.isAcceptable }
            }
            return false
        }
    }

    /// Whether `Accept-Encoding` names a content coding, or takes any (RFC 9110, section 12.5.3).
    static func accepts(coding: String, in accepted: String) -> Bool {
        let ranges = ranges(accepted)
        let match = ranges.first { $0.type == coding } ?? ranges.first { $0.type == "*" }
        return match?.isAcceptable ?? false
    }

    /// Refuses a body that is coded, such as with gzip: 415 with what is taken (RFC 7694, section 3).
    static func check(contentEncoding: String?) throws(Problem) {
        guard let contentEncoding, contentEncoding.lowercased() != "identity" else { return }
        var problem = Problem(
            .unsupportedContentCoding,
            "Content-Encoding is \(contentEncoding.quoted), and content is taken as it is only; send it uncompressed.")
        problem.acceptEncoding = "identity"
        throw problem
    }

    /// Refuses a body whose media type is not JSON.
    ///
    /// A body without a type is refused too: any web page can have a browser send one without asking first, and JSON it
    /// cannot. `application/x-www-form-urlencoded`, which curl's `-d` sends, is refused with the remedy.
    static func check(contentType: String?, isMergePatch: Bool, isLines: Bool = false) throws(Problem) {
        // As nearly every client writes it: nothing to take apart.
        if contentType == "application/json" || (isMergePatch && contentType == "application/merge-patch+json") {
            return
        }
        let type = (contentType ?? "").prefix { $0 != ";" }.trimmingSpaces.lowercased()
        if type == "application/json" || (isMergePatch && type == "application/merge-patch+json") { return }
        if isLines, lineTypes.contains(type) { return }
        let taken =
            isLines
            ? "application/x-ndjson or application/json"
            : isMergePatch ? "application/merge-patch+json or application/json" : "application/json"
        throw Problem(
            .unsupportedMediaType,
            (type.isEmpty ? "The content has no Content-Type" : "The content is \(type.quoted)")
                + " and must be \(taken). With curl: --json '…', or -H 'Content-Type: \(taken.prefix { $0 != " " })'."
        )
    }

    /// The media types of newline-delimited JSON; none is registered.
    private static let lineTypes: Set = ["application/x-ndjson", "application/ndjson", "application/jsonl"]

    private static func ranges(_ accept: String) -> [(type: String, isAcceptable: Bool)] {
        accept.split(separator: ",").prefix(32).map { part in
            let pieces = part.split(separator: ";")
            let isRefused = pieces.dropFirst().contains { piece in
                let text = piece.trimmingSpaces.lowercased()
                return text.hasPrefix("q=0") && text.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
            }
            return ((pieces.first ?? "").trimmingSpaces.lowercased(), !isRefused)
        }
    }
}

extension Exchange {
    /// Whether the request has content; of one of which the head alone is there, whether it certainly will have.
    fileprivate var hasContent: Bool {
        guard extent == .head else { return !body.isEmpty }
        if case .length = head.bodyFraming { return true }
        return false
    }
}
