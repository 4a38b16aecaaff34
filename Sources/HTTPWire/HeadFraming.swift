/// The framing of a message by its head's fields: where it ends, and whether the connection stays open.
///
/// Field lines are noted as they come; contradictions between them are settled at the head's end.
struct HeadFraming: Sendable {
    private(set) var hasHost = false
    private var contentLength: Int?
    private var codings = 0
    private var chunkedCodings = 0
    private var endsInChunked = false
    private var asksToClose = false
    private var asksToKeepAlive = false
    private var expectsContinue = false
    private var hasUnknownExpectation = false

    /// Takes in the value of a field line; `value` has no white space at its ends.
    mutating func note(
        _ role: FieldNameTable.Role, _ bytes: Span<UInt8>, _ value: Range<Int>
    ) throws(WireError) {
        switch role {
        case .other: return
        case .host: try noteHost(bytes, value)
        case .contentLength: try noteContentLength(bytes, value)
        case .transferEncoding: try noteTransferEncoding(bytes, value)
        case .connection: noteConnection(bytes, value)
        case .expect: noteExpect(bytes, value)
        }
    }

    /// Whether a length was announced, be it 0.
    var hasContentLength: Bool { contentLength != nil }

    /// How the content is delimited (RFC 9112, section 6.3).
    func bodyFraming(minorVersion: Int, maxBody: Int) throws(WireError) -> BodyFraming {
        if codings > 0 {
            try checkTransferEncoding(minorVersion: minorVersion)
            return .chunked
        }
        guard let contentLength, contentLength > 0 else { return .none }
        guard contentLength <= maxBody else {
            throw WireError.tooMuchContent(maxBody)
        }
        return .length(contentLength)
    }

    /// Whether the connection persists (RFC 9112, section 9.3): `close` wins, and HTTP/1.0 has to ask.
    func keepAlive(minorVersion: Int) -> Bool {
        !asksToClose && (minorVersion >= 1 || asksToKeepAlive)
    }

    /// Whether the client waits for `100 Continue`; an HTTP/1.0 client's `Expect` is ignored (RFC 9110, 10.1.1).
    func expectsContinue(minorVersion: Int, _ framing: BodyFraming) throws(WireError) -> Bool {
        guard minorVersion >= 1 else { return false }
        if hasUnknownExpectation {
            throw WireError(.expectationFailed, "Expect: the only expectation that can be met is 100-continue.")
        }
        return expectsContinue && framing != .none
    }

    private mutating func noteHost(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(WireError) {
        if hasHost {
            throw WireError(.badRequest, "Host: the field is there more than once.")
        }
        hasHost = true
        // The grammar allows an empty value, for targets that have no authority.
        guard value.isEmpty || Authority.isValid(bytes, value) else {
            throw WireError(.badRequest, "Host: the value is not a host with an optional port.")
        }
    }

    private mutating func noteContentLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(WireError) {
        if contentLength != nil {
            // Repeating the same number is harmless here, but not where another recipient picks differently.
            throw WireError(.badRequest, "Content-Length: the field is there more than once.")
        }
        guard !value.isEmpty else {
            throw WireError(.badRequest, "Content-Length: the value is empty.")
        }
        var length = 0
        var overflows = false
        for index in value {
            guard ByteClass.isDigit(bytes[index]) else {
                throw WireError(.badRequest, "Content-Length: the value is not a single decimal number.")
            }
            let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int(bytes[index] - UInt8(ascii: "0")))
            overflows = overflows || overflow || carry
            length = overflows ? 0 : sum
        }
        if overflows {
            throw WireError(.contentTooLarge, "Content-Length: the number is larger than any limit.")
        }
        contentLength = length
    }

    private mutating func noteTransferEncoding(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(WireError) {
        var rest: Range<Int>? = value
        while let coding = bytes.nextListElement(in: &rest) {
            // Empty list elements are refused, although RFC 9110 would skip them: recipients differ in what they
            // make of this field, and that is how requests are smuggled.
            guard !coding.isEmpty else {
                throw WireError(.badRequest, "Transfer-Encoding: the list has an empty element.")
            }
            codings += 1
            endsInChunked = bytes.equals("chunked", ignoringCaseIn: coding)
            if endsInChunked { chunkedCodings += 1 }
        }
    }

    private func checkTransferEncoding(minorVersion: Int) throws(WireError) {
        if minorVersion == 0 {
            throw WireError(.badRequest, "Transfer-Encoding: an HTTP/1.0 request cannot have this field.")
        }
        if contentLength != nil {
            throw WireError(.badRequest, "The request has both Content-Length and Transfer-Encoding.")
        }
        if !endsInChunked {
            throw WireError(.badRequest, "Transfer-Encoding: the last transfer coding is not chunked.")
        }
        if chunkedCodings > 1 {
            throw WireError(.badRequest, "Transfer-Encoding: chunked is there more than once.")
        }
        if codings > 1 {
            throw WireError(.notImplemented, "Transfer-Encoding: the only transfer coding understood is chunked.")
        }
    }

    private mutating func noteConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var rest: Range<Int>? = value
        while let option = bytes.nextListElement(in: &rest) {
            if bytes.equals("close", ignoringCaseIn: option) {
                asksToClose = true
            } else if bytes.equals("keep-alive", ignoringCaseIn: option) {
                asksToKeepAlive = true
            }
        }
    }

    private mutating func noteExpect(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var rest: Range<Int>? = value
        while let expectation = bytes.nextListElement(in: &rest) {
            if bytes.equals("100-continue", ignoringCaseIn: expectation) {
                expectsContinue = true
            } else if !expectation.isEmpty {
                hasUnknownExpectation = true
            }
        }
    }
}
