import JSONValues

extension LogicValue {
    /// Whether the value is a number that is not short and whole, whose text takes long to make.
    var isFraction: Bool {
        switch self {
        case .number: true
        case .json(let node): node.kind == .number && node.shortInteger == nil
        default: false
        }
    }

    /// The bytes that reading the value's text passes; those of a text with escapes are decoded, and count twice.
    var readLength: Int {
        if case .json(let node) = self, node.kind == .string, node.hasEscapes { return 2 * size }
        return size
    }

    /// Appends the text that `cat` takes a value for: a string itself, nothing for null, and a number in one form.
    ///
    /// - Returns: Whether the value has such a text; arrays and objects have none.
    package func appendText(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .null: return true
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .integer, .number: append(to: &bytes)
        case .utf8(let text): bytes += text
        case .array, .object: return false
        case .json(let node): return LogicValue.append(node, to: &bytes)
        }
        return true
    }

    private static func append(_ node: JSONNode, to bytes: inout [UInt8]) -> Bool {
        switch node.kind {
        case .null: return true
        case .bool: bytes += node.text
        case .string: node.appendString(to: &bytes)
        case .number:
            guard let number = node.number else { return false }
            switch number {
            case .integer(let int): LogicValue.integer(int).append(to: &bytes)
            case .double(let double): LogicValue.number(double).append(to: &bytes)
            case .decimal: bytes += node.text
            }
        case .array, .object: return false
        }
        return true
    }

    /// The value by itself, kept independently of any document.
    ///
    /// - Complexity: O(*n*) in the length of its text.
    /// - Throws: `JSONError` with `JSONError.Reason.tooDeep(limit:)` where arrays and objects are nested deeper than a
    ///   document can be, counting those inside nodes.
    package var json: JSONValue {
        get throws(JSONError) {
            if case .json(let node) = self { return node.value }
            var bytes: [UInt8] = []
            append(to: &bytes)
            return try JSONValue(parsing: bytes, maximumDepth: JSONDocument.ceilingDepth)
        }
    }

    /// Appends the value's text without white space; what was read from a document keeps its digits and escapes.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package func append(to bytes: inout [UInt8]) {
        var writer = JSONWriter(appendingTo: bytes)
        bytes = []
        write(to: &writer)
        bytes = writer.takeBytes()
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let bool): writer.bool(bool)
        case .integer(let int): writer.int(int)
        case .number(let double): writer.double(double)
        case .utf8(let bytes): writer.string(String(decoding: bytes, as: UTF8.self))
        case .array(let array):
            writer.beginArray()
            for element in array.elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let object):
            writer.beginObject()
            for (place, value) in object.values.enumerated() {
                writer.key(object.names.name(at: place))
                value.write(to: &writer)
            }
            writer.endObject()
        case .json(let node):
            var text: [UInt8] = []
            node.appendMinified(to: &text)
            writer.raw(text)
        }
    }
}
