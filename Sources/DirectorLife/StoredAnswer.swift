/// The answer to a request with an `Idempotency-Key`, as it is kept for the request's repetitions.
package struct StoredAnswer: Sendable, Hashable {
    /// The key, unique in a director's life.
    package let key: String
    /// Distinguishes two requests with the same key; the same in every run of the program.
    package let fingerprint: UInt64
    /// The answer's bytes; neither a life nor a store looks into them.
    package let body: [UInt8]
    /// When the answer may be forgotten, in seconds since 1970.
    package let expires: Int

    /// Makes an answer.
    package init(key: String, fingerprint: UInt64, body: [UInt8], expires: Int) {
        self.key = key
        self.fingerprint = fingerprint
        self.body = body
        self.expires = expires
    }

    /// The bytes that keeping it takes.
    package var size: Int { 64 + key.utf8.count + body.count }
}
