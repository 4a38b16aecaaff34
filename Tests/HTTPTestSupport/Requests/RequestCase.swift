/// A request that means the same over HTTP/1.1 and HTTP/2, and what a server must make of it over both.
///
/// The one table of them (``RequestCases``) is run by both machines' tests; what only one protocol can say is in tables of
/// that protocol's tests.
package struct RequestCase: Sendable, CustomStringConvertible {
    /// What a server must make of it.
    package enum Outcome: Sendable, Equatable {
        /// The application gets it as it is written here.
        case served
        /// It is answered with this status, and the application does not get it.
        case refused(Int)
    }

    /// What a server made of it.
    package enum Result: Sendable, CustomStringConvertible {
        /// The application got it.
        case served(Seen)
        /// It was answered with this status instead.
        case refused(Int)
        /// The stream was reset as malformed (RFC 9113, section 8.1.1), which HTTP/1.1 can only say with 400.
        case malformed
        /// Neither, although all of it has been sent.
        case nothing

        package var description: String {
            switch self {
            case .served(let seen): "served: \(seen)"
            case .refused(let status): "refused with \(status)"
            case .malformed: "reset as malformed"
            case .nothing: "nothing"
            }
        }
    }

    /// What the application gets of a request.
    package struct Seen: Sendable, Equatable {
        var method: String
        var target: String
        var authority: String?
        var fields: Set<String>
        var content: String
        var interim: Bool

        /// Makes what was seen; `fields` are names in lower case with their values, of which `Transfer-Encoding` is left
        /// out, `interim` whether the client was told to go on with 100 (Continue).
        package init(
            method: String, target: String, authority: String?, fields: [(String, String)], content: [UInt8],
            interim: Bool
        ) {
            self.method = method
            self.target = target
            self.authority = authority
            self.fields = Set(fields.filter { $0.0 != "transfer-encoding" }.map { "\($0.0): \($0.1)" })
            self.content = String(decoding: content, as: UTF8.self)
            self.interim = interim
        }
    }

    /// What it is about, in words; unique in the table.
    package let name: String
    package let method: String
    package let target: String
    /// `Host` or `:authority`; nil for neither.
    package let authority: String?
    /// Field lines, in lower case; `Content-Length` among them where one is sent.
    package let fields: [(String, String)]
    /// The content; nil where the head is all.
    package let content: String?
    /// Field lines behind the content.
    package let trailers: [(String, String)]
    package let outcome: Outcome
    package var description: String { name }

    /// Makes a case.
    package init(
        _ name: String, _ method: String = "GET", _ target: String = "/", authority: String? = "a",
        fields: [(String, String)] = [], content: String? = nil, trailers: [(String, String)] = [],
        outcome: Outcome = .served
    ) {
        self.name = name
        self.method = method
        self.target = target
        self.authority = authority
        self.fields = fields
        self.content = content
        self.trailers = trailers
        self.outcome = outcome
    }

    /// Its head and what follows it, as HTTP/1.1 writes them; content without a length is one chunk.
    package var http1: (head: [UInt8], content: [UInt8]) {
        var head = "\(method) \(target) HTTP/1.1\r\n"
        if let authority { head += "Host: \(authority)\r\n" }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        guard var text = content else { return (Array((head + "\r\n").utf8), []) }
        if !fields.contains(where: { $0.0 == "content-length" }) {
            head += "Transfer-Encoding: chunked\r\n"
            text = text.isEmpty ? "" : String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
            text += "0\r\n" + trailers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
        }
        return (Array((head + "\r\n").utf8), Array(text.utf8))
    }

    /// The field lines of its head, as HTTP/2 has them.
    package var http2: [(String, String)] {
        var lines = [(":method", method)]
        if method != "CONNECT" { lines += [(":scheme", "http"), (":path", target)] }
        if let authority { lines.append((":authority", authority)) }
        return lines + fields
    }

    /// Says how what a server made of it departs from what it must; nil where it does not.
    package func departure(_ result: Result) -> String? {
        switch (outcome, result) {
        case (.refused(let expected), .refused(let status)) where expected == status: return nil
        case (.refused(400), .malformed): return nil
        case (.served, .served(let seen)):
            let expectsContinue = fields.contains { $0 == ("expect", "100-continue") } && content != nil
            let expected = Seen(
                method: method, target: target, authority: authority, fields: fields,
                content: Array((content ?? "").utf8), interim: expectsContinue)
            return seen == expected ? nil : "\(seen) instead of \(expected)"
        default: return "\(result) instead of \(outcome)"
        }
    }
}
