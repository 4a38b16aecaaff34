import HTTPTypes

extension HTTPFields {
    /// The subscript's value, at a fraction of its cost if one line has the name: the value of that line as it is.
    package func value(of name: HTTPField.Name) -> String? {
        guard let first = firstIndex(where: { $0.has(name) }) else { return nil }
        return self[(first + 1)...].contains { $0.has(name) } ? self[name] : self[first].value
    }
}

// The names are tokens written here: the initialiser fails for nothing else, and a typing error would trap in every test.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    /// Names the request in the answer and in the log.
    static let requestID = Self("X-Request-Id")!
    /// Says from where a page may load what it is made of (Content Security Policy Level 3).
    static let contentSecurityPolicy = Self("Content-Security-Policy")!
    /// Says what a page tells other sites of where a link or request came from.
    static let referrerPolicy = Self("Referrer-Policy")!
    /// Keeps other sites' pages from holding a window that shows this page.
    static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")!
    /// Asks nginx and its like not to hold an answer back.
    static let xAccelBuffering = Self("X-Accel-Buffering")!
    /// Says whether a request comes from the server's own pages or another site's (W3C Fetch Metadata).
    static let secFetchSite = Self("Sec-Fetch-Site")!
    /// Makes a POST safe to repeat.
    static let idempotencyKey = Self("Idempotency-Key")!
    /// Names a mutation in the changeset that shows it.
    static let callboardCause = Self("Callboard-Cause")!
    /// Says to another node that it has to look for the director's owner again.
    static let callboardMoved = Self("Callboard-Moved")!
    /// The outcome of a forwarded request, for the sending node's audit; absent for `done`.
    static let callboardOutcome = Self("Callboard-Outcome")!
    /// For how many seconds what is answered has not been compared with the database.
    static let callboardStale = Self("Callboard-Stale")!
    /// Says how much of an answer is wanted (RFC 7240).
    static let prefer = Self("Prefer")!
    /// Where a stream was left.
    static let lastEventID = Self("Last-Event-ID")!
}

extension HTTPField {
    /// Whether this is its name. Lengths are compared first: comparing two names that differ is a call.
    fileprivate func has(_ name: HTTPField.Name) -> Bool {
        self.name.rawName.utf8.count == name.rawName.utf8.count && self.name == name
    }

    // Fields of most answers: made once, since making one checks each byte of its value.
    static let noCache = HTTPField(name: .cacheControl, value: "no-cache")
    static let noStore = HTTPField(name: .cacheControl, value: "no-store")
    static let json = HTTPField(name: .contentType, value: "application/json")
}
