import CSimdJSON

/// The parts of a document, in the order of its text: one entry for each value and each member's name.
///
/// An object's entry is followed by name, value, name, value…, an array's by its elements; `next` of each leads past
/// all that belongs to it. The tape is made by the parser alone, so its offsets always lie in the bytes that it was
/// made of.
final class Tape: Sendable {
    typealias Entry = callboard_json_entry

    /// The text.
    let bytes: [UInt8]

    /// The entries; the first one is the document's value.
    let entries: [Entry]

    /// Reads a text whole.
    ///
    /// - Complexity: O(*n*) in the length of the text, and O(*m* log *m*) for an object of *m* members.
    init(_ bytes: [UInt8], maximumDepth: Int) throws(JSONError) {
        var bound = 0
        var fault = 0
        // SAFETY: the pointer is used within the call only; the callee reads `bytes.count` bytes and keeps none of it.
        var outcome = bytes.withUnsafeBufferPointer { buffer in
            callboard_json_index(buffer.baseAddress, buffer.count, &bound, &fault)
        }
        var entries: [Entry] = []
        if outcome == CALLBOARD_JSON_OK {
            let depth = UInt32(clamping: min(maximumDepth, Int(CALLBOARD_JSON_DEPTH_CEILING)))
            // SAFETY: the callee writes at most `capacity` entries and sets `count` to how many it has initialised;
            // nothing suspends between the two calls, so that both run on one thread.
            entries = [Entry](unsafeUninitializedCapacity: bound) { target, count in
                outcome = bytes.withUnsafeBufferPointer { buffer in
                    callboard_json_build(
                        buffer.baseAddress, buffer.count, depth, target.baseAddress, target.count, &count, &fault)
                }
            }
        }
        guard outcome == CALLBOARD_JSON_OK else {
            throw JSONError(reason: Tape.reason(outcome, at: fault, in: bytes, depth: maximumDepth), offset: fault)
        }
        self.bytes = bytes
        self.entries = entries
    }

    /// The range of the text of a value or name, with its quotes.
    func text(at place: Int) -> Range<Int> {
        let start = Int(entries[place].offset)
        return start..<start + Int(entries[place].length)
    }

    /// The place behind all that belongs to a value.
    func end(of place: Int) -> Int { Int(entries[place].next) }

    /// Whether a value is an object.
    func isObject(at place: Int) -> Bool { kind(at: place) == Int(CALLBOARD_JSON_OBJECT) }

    /// Whether a value is the literal `null`.
    func isNull(at place: Int) -> Bool { kind(at: place) == Int(CALLBOARD_JSON_NULL) }

    private func kind(at place: Int) -> Int { Int(entries[place].kind) & Int(CALLBOARD_JSON_KIND_MASK) }

    /// Appends a part of the text.
    func append(_ range: Range<Int>, to target: inout [UInt8]) {
        // SAFETY: the buffer is read inside the closure only, and the slice is checked to lie in it.
        bytes.withUnsafeBufferPointer { target.append(contentsOf: $0[range]) }
    }

    /// Whether a name is the same, scalar by scalar, as one of another document.
    func isSameName(_ place: Int, as other: Tape, _ otherPlace: Int) -> Bool {
        let (one, two) = (entries[place], other.entries[otherPlace])
        guard (one.kind | two.kind) & UInt32(CALLBOARD_JSON_ESCAPED) == 0 else {
            return JSONNode(tape: self, index: place).contentBytes
                == JSONNode(tape: other, index: otherPlace).contentBytes
        }
        guard one.length == two.length else { return false }
        let (start, otherStart) = (Int(one.offset), Int(two.offset))
        for offset in 0..<Int(one.length) where bytes[start + offset] != other.bytes[otherStart + offset] {
            return false
        }
        return true
    }

    /// Reads a text that was written by this module or read by it before.
    convenience init(checked bytes: [UInt8]) {
        do {
            try self.init(bytes, maximumDepth: JSONDocument.ceilingDepth)
        } catch {
            // Every value was read once before it was kept: this is a broken invariant of our own, not anyone's input.
            preconditionFailure("a kept value can no longer be read: \(error)")
        }
    }

    private static func reason(
        _ outcome: Int32, at offset: Int, in bytes: [UInt8], depth: Int
    ) -> JSONError.Reason {
        switch Int(outcome) {
        case Int(CALLBOARD_JSON_EMPTY): .empty
        case Int(CALLBOARD_JSON_TOO_LONG): .tooLong
        case Int(CALLBOARD_JSON_NOT_UTF8): .invalidUTF8
        case Int(CALLBOARD_JSON_CONTROL_CHARACTER): .controlCharacter
        case Int(CALLBOARD_JSON_UNCLOSED_STRING): .unclosedString
        case Int(CALLBOARD_JSON_UNEXPECTED_END): .unexpectedEnd
        case Int(CALLBOARD_JSON_EXPECTED_VALUE): .expectedValue
        case Int(CALLBOARD_JSON_EXPECTED_NAME): .expectedName
        case Int(CALLBOARD_JSON_EXPECTED_COLON): .expectedColon
        case Int(CALLBOARD_JSON_EXPECTED_COMMA_OR_BRACKET): .expectedCommaOrBracket
        case Int(CALLBOARD_JSON_EXPECTED_COMMA_OR_BRACE): .expectedCommaOrBrace
        case Int(CALLBOARD_JSON_TRAILING_CONTENT): .trailingContent
        case Int(CALLBOARD_JSON_BAD_NUMBER): .invalidNumber
        case Int(CALLBOARD_JSON_BAD_LITERAL): .invalidLiteral
        case Int(CALLBOARD_JSON_BAD_ESCAPE): .invalidEscape
        case Int(CALLBOARD_JSON_LONE_SURROGATE): .loneSurrogate
        case Int(CALLBOARD_JSON_TOO_DEEP): .tooDeep(limit: depth)
        case Int(CALLBOARD_JSON_DUPLICATE_NAME): .duplicateName(duplicateName(at: offset, in: bytes))
        default: .outOfMemory
        }
    }

    /// The name whose opening quote stands at the offset, cut to a length that fits into a message.
    private static func duplicateName(at offset: Int, in bytes: [UInt8]) -> String {
        var end = offset + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        let content = bytes[min(offset + 1, bytes.count)..<min(end, bytes.count)]
        let name = JSONEscapes.decode(content)
        return name.count > 100 ? name.prefix(100) + "…" : name
    }
}
