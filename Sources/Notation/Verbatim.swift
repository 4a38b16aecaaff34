import Glibc

/// A text that is stored in a value and compared by its bytes, where the compiler makes the comparison.
///
/// Text that is normalized in another way is shown in the same way, but it is not what the caller sent. `String` would
/// take the two for equal, and a change from one to the other would be lost.
@propertyWrapper
package struct Verbatim<Text: VerbatimText>: Sendable {
    /// The text.
    package var wrappedValue: Text

    /// Wraps a text.
    @inlinable
    package init(wrappedValue: Text) {
        self.wrappedValue = wrappedValue
    }
}

extension Verbatim: Hashable {
    /// Compares the bytes.
    package static func == (left: Verbatim, right: Verbatim) -> Bool {
        left.wrappedValue.isVerbatim(right.wrappedValue)
    }

    /// Feeds the bytes.
    package func hash(into hasher: inout Hasher) {
        wrappedValue.hashVerbatim(into: &hasher)
    }
}

/// The type that ``Verbatim`` wraps: a text, or an optional text.
package protocol VerbatimText: Sendable {
    /// Whether the bytes of both are the same.
    func isVerbatim(_ other: Self) -> Bool

    /// Feeds the bytes.
    func hashVerbatim(into hasher: inout Hasher)
}

extension String: VerbatimText {
    /// Whether the bytes of both texts are the same.
    ///
    /// - Complexity: O(*n*) in the number of bytes; O(1) where their counts differ, and where both are one text in memory.
    package func isVerbatim(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                // SAFETY: both have `left.count` bytes, which stay in place while the closures run.
                return first == second || memcmp(first, second, left.count) == 0
            }
        }.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }

    /// The text with the letters A to Z in lower case, and all others as they are.
    ///
    /// Names of hosts, fields and schemes are compared so. `lowercased()` makes a `k` of the Kelvin sign too.
    package var lowercasedASCII: String {
        guard utf8.contains(where: { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else { return self }
        let bytes = utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Feeds the bytes.
    package func hashVerbatim(into hasher: inout Hasher) {
        Name(self).hash(into: &hasher)
    }
}

extension Optional: VerbatimText where Wrapped: VerbatimText {
    /// Whether both are missing, or the bytes of both are the same.
    package func isVerbatim(_ other: Wrapped?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.isVerbatim(right)
        default: false
        }
    }

    /// Feeds whether there is a text, and its bytes.
    package func hashVerbatim(into hasher: inout Hasher) {
        hasher.combine(self != nil)
        self?.hashVerbatim(into: &hasher)
    }
}
