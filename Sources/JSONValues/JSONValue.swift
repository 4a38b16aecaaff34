/// A JSON value, kept as its own text.
///
/// The text is what came in less the white space between tokens: numbers keep their digits, members their order,
/// strings their escapes. It has no line break and can stand in a `data:` line of an event stream unchanged. Equality
/// is that of JSON values: the order of members does not matter and 1 equals 1.0, however large the numbers are.
package struct JSONValue: Sendable {
    /// The text in UTF-8.
    package let bytes: [UInt8]

    /// The canonical hash where it is known, and else 0.
    private let knownHash: UInt64

    init(unchecked bytes: [UInt8], hash: UInt64) {
        self.bytes = bytes
        knownHash = max(hash, 1)
    }

    /// Keeps the text of a value that was kept before and stored in the meantime, without reading it again.
    ///
    /// The caller guarantees that the text comes from a `JSONValue`, for example by a checksum. Looking into another
    /// text ends the program.
    ///
    /// - Complexity: O(1).
    package init(trusting text: [UInt8]) {
        bytes = text
        knownHash = 0
    }

    /// Keeps the value of a node, and leaves the hash to those who need it.
    ///
    /// - Complexity: O(*n*) in the length of the node's text.
    package init(unhashed node: JSONNode) {
        self.init(trusting: node.minified)
    }

    /// A hash that equal values share; it differs from one run of the process to the next.
    ///
    /// - Complexity: O(1), but O(*n*) in the length of the text of a value that has not been read in this run.
    package var canonicalHash: UInt64 {
        knownHash != 0 ? knownHash : max(document.root.canonicalHash, 1)
    }

    /// Whether the two are different for certain, as far as can be told without looking at their texts.
    ///
    /// - Complexity: O(1).
    package func isKnownToDiffer(from other: JSONValue) -> Bool {
        knownHash != other.knownHash && knownHash != 0 && other.knownHash != 0
    }

    /// Keeps the value of a node.
    ///
    /// - Complexity: O(*n*) in the length of the node's text.
    package init(_ node: JSONNode) {
        self.init(unchecked: node.minified, hash: node.canonicalHash)
    }

    /// Reads a text that holds one value and nothing else.
    ///
    /// - Throws: The first fault with its place.
    package init(
        parsing text: [UInt8], maximumDepth: Int = JSONDocument.defaultMaximumDepth
    ) throws(JSONError) {
        self.init(try JSONDocument(text, maximumDepth: maximumDepth).root)
    }

    /// Reads a text that is at hand as a string.
    package init(
        parsing text: String, maximumDepth: Int = JSONDocument.defaultMaximumDepth
    ) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
    }

    /// Makes a string value.
    package init(string: String) {
        var writer = JSONWriter()
        writer.string(string)
        self = JSONValue(JSONDocument(checked: writer.bytes).root)
    }

    /// The text.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The value read again, to look into it.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package var document: JSONDocument {
        JSONDocument(checked: bytes)
    }

    /// Whether arrays and objects are nested in more levels than these.
    ///
    /// - Complexity: O(1) for a text of at most twice as many bytes, else O(*n*) in the length of the text.
    package func isDeeper(than levels: Int) -> Bool {
        // Each level takes an opening and a closing bracket.
        guard levels < JSONDocument.ceilingDepth, bytes.count > 2 * levels else { return false }
        do {
            _ = try JSONDocument(bytes, maximumDepth: levels)
            return false
        } catch {
            return true
        }
    }

    /// The value that a pointer leads to, nil where there is none.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package func value(at pointer: JSONPointer) -> JSONValue? {
        document.root.node(at: pointer)?.value
    }
}

extension JSONDocument {
    /// Reads a text that was written by this module or read by it before.
    init(checked bytes: [UInt8]) {
        self.init(tape: Tape(checked: bytes))
    }
}

extension JSONValue: Hashable {
    /// Compares as JSON values, exactly.
    ///
    /// - Complexity: O(1) where the hashes are known and differ, else O(*n*) in the length of the texts.
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        if left.isKnownToDiffer(from: right) { return false }
        return left.bytes == right.bytes || left.document.root.isEqual(to: right.document.root)
    }

    /// Feeds the canonical hash.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(canonicalHash)
    }
}

extension JSONValue: CustomStringConvertible {
    /// The text.
    package var description: String {
        text
    }
}
