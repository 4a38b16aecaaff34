/// The sizes beyond which a request is refused.
///
/// Every count is in bytes unless its name says otherwise. A limit is inclusive: a target of exactly
/// ``maxTarget`` bytes is accepted. All of them bound memory as well: a receive buffer that
/// holds ``maxLine`` bytes is enough for the parser to go on.
package struct WireLimits: Sendable, Hashable {
    /// The longest request target; a longer one is answered 414 (RFC 9112, section 3).
    package var maxTarget: Int

    /// All lines of a request's head with their line ends, the request line included; more is answered 431.
    package var maxHead: Int

    /// The number of field lines in a head, and again in a trailer section; more is answered 431.
    package var maxFields: Int

    /// The content of a request after its transfer coding is taken off; more is answered 413.
    package var maxBody: Int

    /// Requests that may have more content.
    package var largeBodies: [LargeBody] = []

    /// All chunk extensions of one request together; more is answered 413 (RFC 9112, section 7.1.1).
    package var maxChunkExtensions: Int

    /// All trailer lines of one request together; more is answered 431.
    package var maxTrailers: Int

    /// The number of empty lines skipped before a request line; more is answered 400 (RFC 9112, section 2.2).
    package var maxLeadingEmptyLines: Int

    /// The longest line that the parser waits for, with its end; bodies are taken in pieces of any size.
    package var maxLine: Int {
        max(maxTarget + 64, maxHead, maxTrailers, maxChunkExtensions + 64)
    }

    /// Creates limits; each has the default that suits an API behind no proxy.
    package init(
        maxTarget: Int = 8 * 1024,
        maxHead: Int = 32 * 1024,
        maxFields: Int = 100,
        maxBody: Int = 16 * 1024 * 1024,
        maxChunkExtensions: Int = 4 * 1024,
        maxTrailers: Int = 8 * 1024,
        maxLeadingEmptyLines: Int = 4
    ) {
        self.maxTarget = maxTarget
        self.maxHead = maxHead
        self.maxFields = maxFields
        self.maxBody = maxBody
        self.maxChunkExtensions = maxChunkExtensions
        self.maxTrailers = maxTrailers
        self.maxLeadingEmptyLines = maxLeadingEmptyLines
    }
}
