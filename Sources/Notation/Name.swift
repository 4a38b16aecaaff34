/// A name or an identifier that came from outside: two are the same where their UTF-8 bytes are.
///
/// `String` compares by canonical equivalence: `é` is equal to `e` with a combining accent, and the Kelvin sign to `K`.
/// A grant, a journal and other programs compare bytes. With `String` as a key, one spelling would be authorized and
/// another one found. So every dictionary and set of such texts is keyed by `Name`, and every comparison of two of them
/// compares names.
///
/// Making one copies nothing. Hashing feeds the bytes once and does not normalize.
@usableFromInline
package struct Name: Sendable {
    /// The text as it was written.
    @usableFromInline
    package let text: String

    /// Takes a text as a name.
    @inlinable
    package init(_ text: String) {
        self.text = text
    }

    /// Takes a part of a text as a name.
    @inlinable
    package init(_ text: Substring) {
        self.text = String(text)
    }
}

extension Name: Hashable {
    /// Compares the bytes.
    ///
    /// - Complexity: O(*n*) in the number of bytes; O(1) where their counts differ.
    @usableFromInline
    package static func == (left: Name, right: Name) -> Bool {
        left.text.isVerbatim(right.text)
    }

    /// Feeds the bytes, and one that is in no UTF-8, so that the end of a name shows among several.
    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        if text.utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in text.utf8 { hasher.combine(byte) }
        }
        hasher.combine(0xFF as UInt8)
    }
}

extension Name: Comparable {
    /// Orders by the bytes, which for UTF-8 is the order of the scalars.
    @usableFromInline
    package static func < (left: Name, right: Name) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension Name: ExpressibleByStringLiteral {
    /// Takes a literal as a name.
    @usableFromInline
    package init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Name: CustomStringConvertible {
    /// The text.
    @usableFromInline
    package var description: String { text }
}

extension Name: Codable {
    /// Reads a string.
    @usableFromInline
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes a string.
    @usableFromInline
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Name {
    /// The longest name of a director, model, cell, view or variable, in bytes.
    package static let maximumLength = 256

    /// The fault of the name of a director, model, cell, view or variable; nil without one.
    ///
    /// - Parameter isStored: Whether the name was given before or refers to one that was: such a name may have control
    ///   characters.
    package static func fault(in name: String, isStored: Bool = false) -> String? {
        if name.isEmpty { return "a name cannot be empty" }
        if name.utf8.count > maximumLength { return "a name has at most \(maximumLength) bytes" }
        return !isStored && hasControls(name) ? "a name has no control characters" : nil
    }

    /// Whether a text has a control character: U+0000 to U+001F, U+007F, and U+0080 to U+009F.
    ///
    /// None can be part of a name or an identifier that is given from now on: it could not be seen, and a terminal
    /// would obey it. A name that was stored before this rule is read as it is, and is found, changed and deleted by
    /// its bytes. The control characters are those of Unicode's category Cc, and no others: marks of format are part of
    /// names (the joiners of Persian words and of emoji), and so the marks of bidirectional text and the separators
    /// U+2028 and U+2029 are taken. Code that shows a name on a terminal or in a log writes these as something visible.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package static func hasControls(_ text: String) -> Bool {
        var last: UInt8 = 0
        for byte in text.utf8 {
            // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
            if byte < 0x20 || byte == 0x7F || last == 0xC2 && byte < 0xA0 { return true }
            last = byte
        }
        return false
    }

    /// Whether a text has a control character of ASCII, with which no program has ever taken a name. In identifiers
    /// earlier programs have taken them.
    package static func hasASCIIControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// The fault of a name that is to stand in paths; nil without one.
    package static func pathFault(in name: String) -> String? {
        isPathStep(name) ? "a name that stands in paths cannot be \"\(name)\"" : fault(in: name)
    }

    /// The first of some names that is canonically equivalent to a text.
    ///
    /// For stored records only: earlier programs treated such names as equal, and their journals may refer to an object
    /// by another spelling of its name.
    ///
    /// - Complexity: O(*n*) in the number of names.
    package static func equivalent(to text: String, among names: some Sequence<Name>) -> Name? {
        names.filter { $0.text == text }.min()
    }

    /// Whether a text is a step of a path (`.` or `..`), which clients resolve and never send.
    package static func isPathStep(_ text: String) -> Bool {
        text.isVerbatim(".") || text.isVerbatim("..")
    }
}

extension Dictionary where Key == Name {
    /// The value under a text, taken as a name.
    @inlinable
    package subscript(text: String) -> Value? {
        get { self[Name(text)] }
        _modify { yield &self[Name(text)] }
    }

    /// The value under a text, taken as a name; a default where there is none.
    @inlinable
    package subscript(text: String, default value: @autoclosure () -> Value) -> Value {
        get { self[Name(text), default: value()] }
        _modify { yield &self[Name(text), default: value()] }
    }
}

extension Set where Element == Name {
    /// Makes a set of texts, taken as names.
    package init(texts: some Sequence<String>) {
        self.init(texts.lazy.map { Name($0) })
    }

    /// Adds texts, taken as names.
    package mutating func formUnion(texts: some Sequence<String>) {
        for text in texts { insert(Name(text)) }
    }

    /// Takes texts away, taken as names.
    package mutating func subtract(texts: some Sequence<String>) {
        for text in texts { remove(Name(text)) }
    }

    /// Whether a text is among the names.
    @inlinable
    package func contains(_ text: String) -> Bool {
        contains(Name(text))
    }
}
