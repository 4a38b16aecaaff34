/// Which directors a grant is about: one name, or all names with a prefix (`shop-*`).
///
/// Names are compared byte by byte, so that two spellings of a letter are two names.
package struct DirectorPattern: Hashable, Sendable {
    /// The most bytes that a pattern has.
    package static let lengthLimit = 256

    private let bytes: [UInt8]
    private let isPrefix: Bool

    /// Reads a pattern: a `*` at the end stands for anything.
    ///
    /// - Throws: ``GrantError`` for an empty pattern, one that is too long, and a `*` elsewhere than at the end.
    package init(_ text: String) throws(GrantError) {
        guard !text.isEmpty, text.utf8.count <= Self.lengthLimit else {
            throw GrantError("expected a director's name, or a prefix and '*', of 1 to \(Self.lengthLimit) bytes")
        }
        let star = text.utf8.last == UInt8(ascii: "*")
        let name = star ? text.utf8.dropLast() : text.utf8[...]
        guard !name.contains(UInt8(ascii: "*")) else {
            throw GrantError("a '*' stands at the end of a pattern only")
        }
        bytes = Array(name)
        isPrefix = star
    }

    private init(bytes: [UInt8], isPrefix: Bool) {
        self.bytes = bytes
        self.isPrefix = isPrefix
    }

    /// Every director: `*`.
    package static let all = DirectorPattern(bytes: [], isPrefix: true)

    /// One director alone; a `*` in its name stands for nothing else.
    static func exactly(_ name: String) -> DirectorPattern {
        DirectorPattern(bytes: Array(name.utf8), isPrefix: false)
    }

    /// The bytes of the name or the prefix.
    var length: Int { bytes.count }

    /// Whether the pattern stands for every director.
    package var isAll: Bool { isPrefix && bytes.isEmpty }

    /// Whether the pattern stands for a director. O(bytes of the pattern).
    package func matches(_ name: String) -> Bool {
        isPrefix ? name.utf8.starts(with: bytes) : name.utf8.elementsEqual(bytes)
    }
}

extension DirectorPattern: CustomStringConvertible {
    /// The pattern as it is written.
    package var description: String {
        String(decoding: bytes, as: UTF8.self) + (isPrefix ? "*" : "")
    }
}
