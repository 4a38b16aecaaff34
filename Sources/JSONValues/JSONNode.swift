import CSimdJSON
import Notation

/// A place in a document: a value, and the way to those inside it.
///
/// A node is a position and keeps its document alive; making one costs nothing. Reading a node as something that it is
/// not yields nil.
package struct JSONNode: Sendable {
    let tape: Tape
    var index: Int

    var entry: Tape.Entry {
        tape.entries[index]
    }

    /// The kind of the value.
    package var kind: JSONKind {
        switch Int(entry.kind) & Int(CALLBOARD_JSON_KIND_MASK) {
        case Int(CALLBOARD_JSON_NULL): .null
        case Int(CALLBOARD_JSON_FALSE), Int(CALLBOARD_JSON_TRUE): .bool
        case Int(CALLBOARD_JSON_NUMBER): .number
        case Int(CALLBOARD_JSON_ARRAY): .array
        case Int(CALLBOARD_JSON_OBJECT): .object
        default: .string
        }
    }

    /// Whether the value is `null`.
    package var isNull: Bool {
        kind == .null
    }

    /// The truth value.
    package var bool: Bool? {
        kind == .bool ? Int(entry.kind) & Int(CALLBOARD_JSON_KIND_MASK) == Int(CALLBOARD_JSON_TRUE) : nil
    }

    /// The string, its escapes resolved.
    ///
    /// - Complexity: O(*n*) in the length of the string.
    package var string: String? {
        guard kind == .string else { return nil }
        return hasEscapes ? JSONEscapes.decode(content) : String(decoding: content, as: UTF8.self)
    }

    /// The number as it was written, whatever its size.
    package var numberText: String? {
        kind == .number ? String(decoding: text, as: UTF8.self) : nil
    }

    /// The number, where it is a whole one in the range of `Int`, however it is written (`10`, `10.0`, `1e1`).
    package var int: Int? {
        guard kind == .number else { return nil }
        return Int(String(decoding: text, as: UTF8.self)) ?? DecimalNumber(text).int
    }

    /// The nearest finite double, nil where the number is beyond the range of a double.
    package var double: Double? {
        guard let number = numberText.flatMap({ Double($0) }), number.isFinite else { return nil }
        return number
    }

    /// The value as it was written, white space included.
    package var text: ArraySlice<UInt8> {
        tape.bytes[tape.text(at: index)]
    }

    /// The bytes between the quotes of a string or name.
    var content: ArraySlice<UInt8> {
        text.dropFirst().dropLast()
    }

    /// Whether a string or name has escapes.
    package var hasEscapes: Bool {
        Int(entry.kind) & Int(CALLBOARD_JSON_ESCAPED) != 0
    }

    /// The bytes that a string or name stands for.
    var contentBytes: ArraySlice<UInt8> {
        hasEscapes ? JSONEscapes.decodedBytes(content)[...] : content
    }

    /// The value by itself, kept independently of the document.
    ///
    /// - Complexity: O(*n*) in the length of its text.
    package var value: JSONValue {
        JSONValue(self)
    }
}
