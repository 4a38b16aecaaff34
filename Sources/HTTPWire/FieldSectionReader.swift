internal import HTTPTypes
import Notation

/// Reads a request's head from field lines that are delivered one by one, as HTTP/2 does (RFC 9113, section 8.3).
///
/// The pseudo-fields take the place of the request line. Pseudo-fields and fields are checked in the same way as in
/// ``RequestParser``: both protocols give the application the same heads. The caller vouches for what is HTTP/2's own:
/// names in lower case, no connection-specific fields, pseudo-fields before all others and none twice.
///
/// The first error is kept and thrown by ``finish(endsStream:)``: the caller has to read a field section to its end, since
/// the compression of the next one depends on it. Memory is bounded by the size that is accepted.
package struct FieldSectionReader: Sendable {
    private let limits: WireLimits
    private let maxSize: Int
    private let fieldNames = FieldNameTable.shared

    private var method: HTTPRequest.Method?
    private var scheme: String?
    private var target: String?
    private var authority: String?
    private var host: String?
    private var fields = HTTPFields()
    private var cookie: [UInt8]?
    private var framing = HeadFraming()
    private var fieldCount = 0
    private var failure: WireError?

    /// The size so far: names, values and 32 bytes for each field (RFC 9113, section 6.5.2).
    package private(set) var size = 0

    /// Makes a reader that stands at the beginning of a field section.
    ///
    /// - Parameter maxSize: The largest ``size``; more is answered 431.
    package init(limits: WireLimits, maxSize: Int) {
        self.limits = limits
        self.maxSize = maxSize
    }

    /// Takes the next field line in.
    package mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        guard failure == nil || method == nil else { return }
        size += name.count + value.count + 32
        do throws(WireError) {
            if name.count > 0, name[0] == UInt8(ascii: ":") {
                try readPseudoField(name, value)
            } else if failure == nil {
                try readField(name, value)
            }
        } catch {
            if failure == nil { failure = error }
        }
    }

    /// The head, once the section is complete; the reader is at a beginning again.
    ///
    /// - Parameter endsStream: Whether no content follows.
    package mutating func finish(endsStream: Bool) throws(WireError) -> RequestHead {
        let read = self
        self = FieldSectionReader(limits: limits, maxSize: maxSize)
        return try read.head(endsStream: endsStream)
    }

    /// Whether the method that was read is HEAD, so that not even an error's answer has content.
    package var isHead: Bool { method == .head }

    // MARK: Pseudo-fields

    private mutating func readPseudoField(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(WireError) {
        let (whole, range) = (0..<name.count, 0..<value.count)
        if name.equals(":method", ignoringCaseIn: whole) {
            method = try RequestParser.checkedMethod(value, range)
        } else if name.equals(":path", ignoringCaseIn: whole) {
            guard value.count <= limits.maxTarget else { throw limits.overlongTarget }
            let end = try RequestParser.scanTarget(value, range)
            guard end == value.count, end > 0 else {
                throw WireError(.badRequest, "The request target has a character that must be percent-encoded.")
            }
            target = value.text(range)
        } else if name.equals(":authority", ignoringCaseIn: whole) {
            guard value.count <= limits.maxTarget, value.count == 0 || Authority.isValid(value, range) else {
                throw WireError(.badRequest, "The request's authority is not a host with an optional port.")
            }
            authority = value.text(range)
        } else if name.equals(":scheme", ignoringCaseIn: whole) {
            guard value.equals("http", ignoringCaseIn: range) || value.equals("https", ignoringCaseIn: range) else {
                throw WireError(.badRequest, "The request's scheme is neither http nor https.")
            }
            scheme = value.text(range)
        }
        try checkSize()
    }

    private func checkSize() throws(WireError) {
        guard size <= maxSize else {
            throw WireError(
                .requestHeaderFieldsTooLarge, "The request's fields are larger than the limit of \(maxSize) bytes.")
        }
    }

    // MARK: Fields

    private mutating func readField(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(WireError) {
        try checkSize()
        let range = value.trimming(0..<value.count)
        guard let known = find(name) else {
            try countField()
            if let name = name.text(0..<name.count).flatMap({ HTTPField.Name($0) }) { append(name, value, range) }
            return
        }
        let role = fieldNames.role(known)
        if role != .other { try framing.note(role, value, range) }
        if role == .host {
            try countField()
            host = value.text(range)
        } else if fieldNames.name(known) == .cookie {
            try joinCookie(value, range)
        } else {
            try countField()
            append(fieldNames.name(known), value, range)
        }
    }

    private mutating func countField() throws(WireError) {
        fieldCount += 1
        guard fieldCount <= min(limits.maxFields, RequestParser.maxFieldCount) else {
            throw WireError(
                .requestHeaderFieldsTooLarge, "The request has more fields than the limit of \(limits.maxFields).")
        }
    }

    private func find(_ name: Span<UInt8>) -> Int? {
        var hash: UInt32 = 0
        for index in 0..<name.count { hash = FieldNameTable.mix(hash, ByteClass.lowercased(name[index])) }
        return fieldNames.find(name, 0..<name.count, hash: hash)
    }

    /// Clients may split Cookie for the sake of compression: for the application it is one field again (RFC 9113, section
    /// 8.2.3).
    private mutating func joinCookie(_ value: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        if cookie == nil {
            try countField()
            cookie = []
        } else {
            cookie?.append(contentsOf: "; ".utf8)
        }
        cookie?.append(span: value.extracting(range))
    }

    private mutating func append(_ name: HTTPField.Name, _ value: Span<UInt8>, _ range: Range<Int>) {
        if fields.isEmpty { fields.reserveCapacity(8) }
        if let text = value.text(range) {
            fields.append(HTTPField(name: name, value: text))
        } else {
            fields.append(HTTPField(name: name, value: range.map { value[$0] }))
        }
    }

    // MARK: The head

    private consuming func head(endsStream: Bool) throws(WireError) -> RequestHead {
        if let failure { throw failure }
        guard let method else { throw WireError(.badRequest, "The request has no method.") }
        if method == .connect { throw RequestParser.connectIsNotServed }
        guard scheme != nil, let target else {
            throw WireError(.badRequest, "The request has no scheme or no target.")
        }
        guard target.utf8.first == UInt8(ascii: "/") || (target == "*" && method == .options) else {
            throw target == "*"
                ? WireError(.badRequest, "The request target * is for OPTIONS only.")
                : WireError(.badRequest, "The request target is not a path.")
        }
        if let cookie { append(.cookie, cookie.span, 0..<cookie.count) }
        let length = try framing.bodyFraming(minorVersion: 1, maxBody: limits.maxBody(method, target))
        let bodyFraming: BodyFraming =
            if endsStream { .none } else if length == .none, !framing.hasContentLength { .chunked } else { length }
        let expectsContinue = try framing.expectsContinue(minorVersion: 1, bodyFraming)
        return RequestHead(
            method: method, target: target, authority: try agreedAuthority(), fields: fields,
            expectsContinue: expectsContinue, bodyFraming: bodyFraming)
    }

    /// The authority: `:authority`, else Host. If both are there, they have to be equal, upper and lower case aside
    /// (RFC 9113, section 8.3.1).
    private func agreedAuthority() throws(WireError) -> String {
        guard let authority else {
            guard let host else {
                throw WireError(.badRequest, "The request names no authority, neither as :authority nor as Host.")
            }
            return host
        }
        if let host, host.lowercased() != authority.lowercased() {
            throw WireError(.badRequest, "Host: the value differs from the request's :authority.")
        }
        return authority
    }
}
