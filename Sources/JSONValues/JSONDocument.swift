import CSimdJSON

/// A text that has been read as JSON and found right, whole.
///
/// Everything is checked when the document is made: its UTF-8, its grammar, every string and number, the depth of its
/// nesting, and that no object has a member twice. Numbers and strings stay as they were written. Nothing is decoded
/// until a node is asked for it.
package struct JSONDocument: Sendable {
    /// The deepest nesting that a caller can ask for.
    package static let ceilingDepth = Int(CALLBOARD_JSON_DEPTH_CEILING)

    /// The nesting that is taken unless a caller says otherwise.
    package static let defaultMaximumDepth = 128

    let tape: Tape

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8; kept as long as the document or one of its nodes is.
    ///   - maximumDepth: How deep arrays and objects may be nested, 512 at most.
    /// - Complexity: O(*n*) in the length of the text, and O(*m* log *m*) for an object of *m* members.
    /// - Throws: The first fault with its place.
    package init(
        _ bytes: [UInt8], maximumDepth: Int = JSONDocument.defaultMaximumDepth
    ) throws(JSONError) {
        tape = try Tape(bytes, maximumDepth: maximumDepth)
    }

    /// Reads a text that is at hand as a string.
    package init(
        _ text: String, maximumDepth: Int = JSONDocument.defaultMaximumDepth
    ) throws(JSONError) {
        try self.init(Array(text.utf8), maximumDepth: maximumDepth)
    }

    init(tape: Tape) {
        self.tape = tape
    }

    /// The bytes of working memory that this thread keeps for the next document, at most about a megabyte.
    package static var bytesKeptByThread: Int {
        callboard_json_retained()
    }

    /// The document's value.
    package var root: JSONNode {
        JSONNode(tape: tape, index: 0)
    }
}
