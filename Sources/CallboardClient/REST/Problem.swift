import Foundation

/// The server's description of a refused request (RFC 9457).
public struct Problem: Sendable, Hashable {
    /// One fault of a body.
    public struct Fault: Sendable, Hashable {
        /// A JSON pointer (RFC 6901) to the place in the body; nil where the server named none.
        public let pointer: String?
        /// What is wrong there.
        public let detail: String
    }

    /// The status code.
    public let status: Int
    /// A URI that names the kind of problem; `about:blank` where the status says it all.
    public let type: String
    /// The kind of problem in words.
    public let title: String
    /// This problem in words.
    public let detail: String?
    /// The identifier of this occurrence, for a report to the server's operator.
    public let instance: String?
    /// The faults of the body, in the server's order.
    public let errors: [Fault]

    /// The prefix of the `type` of every problem of a Callboard server.
    static let typePrefix = "urn:callboard:problem:"

    /// Whether a Callboard server said it, and not what stands between: a proxy, a router, a portal.
    public var isCallboards: Bool { type.hasPrefix(Problem.typePrefix) }

    /// Whether the request was sent before and is still being carried out, so that the same one gets its answer a little later.
    public var isInProgress: Bool { type == Problem.typePrefix + "in-progress" }

    /// Makes a problem of its parts.
    package init(status: Int, type: String = "about:blank", detail: String? = nil, errors: [Fault]) {
        (self.status, self.type, self.detail, self.errors) = (status, type, detail, errors)
        (title, instance) = ("The server answered \(status)", nil)
    }

    init(_ value: JSON, status: Int) {
        self.status = status
        type = value["type"]?.stringValue ?? "about:blank"
        title = value["title"]?.stringValue ?? "The server answered \(status)"
        detail = value["detail"]?.stringValue
        instance = value["instance"]?.stringValue
        errors = (value["errors"]?.arrayValue ?? []).map { fault in
            Fault(pointer: fault["pointer"]?.stringValue, detail: fault["detail"]?.stringValue ?? fault.text)
        }
    }
}

extension Problem: CustomStringConvertible {
    /// The problem on one line, the faults of the body included.
    public var description: String {
        let sentence = detail ?? title
        // A server may have put the faults in its sentence already.
        let faults = errors.filter { !sentence.contains($0.detail) }.map { fault in
            fault.pointer.map { "\($0): \(fault.detail)" } ?? fault.detail
        }
        return ([sentence] + faults).joined(separator: "; ") + " (\(status))"
    }
}

extension Problem {
    /// The members of a problem that has nothing but a sentence; none where that is empty.
    static func value(detail: String) -> JSON { detail.isEmpty ? [:] : ["detail": .string(detail)] }

    /// The `error_description` of a `WWW-Authenticate` field (RFC 6750, section 3); nil where it has none.
    static func reason(inChallenge challenge: String) -> String? {
        let name = "error_description=\""
        guard let start = challenge.range(of: name, options: .caseInsensitive)?.upperBound else { return nil }
        var reason = ""
        var isEscaped = false
        for character in challenge[start...] {
            if isEscaped {
                reason.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                return reason
            } else {
                reason.append(character)
            }
        }
        return nil
    }
}
