/// Why something is no grant.
package struct GrantError: Error, Hashable, Sendable {
    /// The JSON pointer (RFC 6901) to what is wrong, from the value that was read.
    package var pointer: String
    /// The fault and its remedy, in a sentence without its full stop.
    package let detail: String

    /// Says what is wrong, and where.
    package init(pointer: String = "", _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }

    /// The same, inside of another value.
    package func within(_ place: String) -> GrantError {
        GrantError(pointer: place + pointer, detail)
    }
}
