/// The fault of a JSON text, and its place.
public struct JSONParseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The unexpected or missing part, as a sentence without a full stop.
    public let reason: String
    /// How many bytes of the text come before the fault.
    public let offset: Int

    /// The reason with its place.
    public var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
    /// Reads one JSON text (RFC 8259), keeping every number's digits and the order of members.
    ///
    /// Anything but white space after the value, a member name used twice in one object, an escape for half a
    /// surrogate pair, bytes that are not UTF-8 and nesting deeper than `maximumDepth` are refused.
    ///
    /// - Complexity: O(*n*) in the bytes of the text.
    public init(
        parsing bytes: some Sequence<UInt8>, maximumDepth: Int = 256
    ) throws(JSONParseError) {
        var parser = JSONParser(bytes: Array(bytes), maximumDepth: maximumDepth)
        self = try parser.parseDocument()
    }

    /// Reads one JSON text as the initializer for bytes does, nested at most 256 levels deep.
    public init(parsing text: String) throws(JSONParseError) {
        try self.init(parsing: text.utf8)
    }
}

/// A recursive-descent reader over bytes; its recursion is bounded by `maximumDepth`.
struct JSONParser {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private(set) var position: Int

    init(bytes: [UInt8], maximumDepth: Int, position: Int = 0) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.position = position
    }

    mutating func parseDocument() throws(JSONParseError) -> JSON {
        let value = try parseValue(depth: 0)
        skipWhiteSpace()
        guard position == bytes.count else { throw fault("Only white space may follow the value") }
        return value
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fault(_ reason: String) -> JSONParseError { JSONParseError(reason: reason, offset: position) }

    private mutating func skipWhiteSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipWhiteSpace()
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func parseValue(depth: Int) throws(JSONParseError) -> JSON {
        skipWhiteSpace()
        guard depth <= maximumDepth else { throw fault("Nesting deeper than \(maximumDepth) levels") }
        switch current {
        case UInt8(ascii: "{"): return .object(try parseObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try parseArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", as: .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", as: .null)
        case nil: throw fault("The text ends where a value should be")
        default: return .number(try parseNumber())
        }
    }

    private mutating func parseWord(_ word: String, as value: JSON) throws(JSONParseError) -> JSON {
        guard bytes[position...].starts(with: word.utf8) else { throw fault("Not a JSON value") }
        position += word.utf8.count
        return value
    }

    private mutating func parseNumber() throws(JSONParseError) -> JSONNumber {
        guard let length = JSONNumber.length(of: bytes[position...]) else { throw fault("Not a JSON value") }
        let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
        position += length
        return JSONNumber(checked: text)
    }

    private mutating func parseArray(depth: Int) throws(JSONParseError) -> [JSON] {
        position += 1
        var elements: [JSON] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try parseValue(depth: depth))
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw fault("Expected a comma or ] in an array") }
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONParseError) -> JSONObject {
        position += 1
        var object = JSONObject()
        if take(UInt8(ascii: "}")) { return object }
        while true {
            skipWhiteSpace()
            guard current == UInt8(ascii: "\"") else { throw fault("Expected a member name in quotes") }
            let start = position
            let name = try parseString()
            guard object[name] == nil else {
                throw JSONParseError(reason: "The member \"\(name)\" appears twice", offset: start)
            }
            guard take(UInt8(ascii: ":")) else { throw fault("Expected a colon after a member name") }
            object[name] = try parseValue(depth: depth)
            if take(UInt8(ascii: "}")) { return object }
            guard take(UInt8(ascii: ",")) else { throw fault("Expected a comma or } in an object") }
        }
    }
}

extension JSONParser {
    /// Reads the string whose opening quote is at `position`.
    private mutating func parseString() throws(JSONParseError) -> String {
        let start = position
        position += 1
        var runStart = position
        var unescaped: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                unescaped += bytes[runStart..<position]
                position += 1
                guard let string = String(validUTF8: unescaped) else {
                    throw JSONParseError(reason: "A string that is not UTF-8", offset: start)
                }
                return string
            case UInt8(ascii: "\\"):
                unescaped += bytes[runStart..<position]
                try parseEscape(into: &unescaped)
                runStart = position
            case 0..<0x20: throw fault("A control character in a string; write it as an escape")
            default: position += 1
            }
        }
        throw JSONParseError(reason: "A string without a closing quote", offset: start)
    }

    private mutating func parseEscape(into output: inout [UInt8]) throws(JSONParseError) {
        let start = position
        position += 1
        let escape = current
        position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(escape ?? 0)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = parseScalar() else {
                throw JSONParseError(reason: "An escape that stands for no character", offset: start)
            }
            output += Array(String(Character(scalar)).utf8)
        default: throw JSONParseError(reason: "An unknown escape", offset: start)
        }
    }

    private mutating func parseScalar() -> Unicode.Scalar? {
        guard let unit = parseHexadecimal() else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
        guard bytes[min(position, bytes.count)...].starts(with: Array("\\u".utf8)) else { return nil }
        position += 2
        guard let low = parseHexadecimal(), (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func parseHexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        position += 4
        return unit
    }
}
