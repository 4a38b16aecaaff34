import JSONValues

/// Why a text is no key set that can be used.
package struct KeySetError: Error, Hashable, Sendable {
    /// The JSON pointer (RFC 6901) to what is wrong.
    package let pointer: String
    /// The fault and its remedy, in a sentence without its full stop; it quotes no value of a key.
    package let detail: String

    /// Says what is wrong, and where.
    package init(pointer: String = "", _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }

    /// The same, inside of another value.
    func within(_ place: String) -> KeySetError {
        KeySetError(pointer: place + pointer, detail)
    }
}

extension KeySetError: CustomStringConvertible {
    /// The error with its place.
    package var description: String {
        pointer.isEmpty ? "the key set: \(detail)" : "the key set at \(pointer): \(detail)"
    }
}
