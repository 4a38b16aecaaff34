import Foundation

extension JSON: Codable {
    /// Reads a value through one of Foundation's decoders; ``JSONNumber`` says what becomes of numbers.
    ///
    /// The order of members is the decoder's, which is not that of the text.
    public init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: MemberName.self) {
            var object = JSONObject()
            for name in keyed.allKeys { object[name.stringValue] = try keyed.decode(JSON.self, forKey: name) }
            self = .object(object)
        } else if var unkeyed = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !unkeyed.isAtEnd { elements.append(try unkeyed.decode(JSON.self)) }
            self = .array(elements)
        } else {
            self = try JSON(scalarIn: decoder.singleValueContainer())
        }
    }

    private init(scalarIn container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(JSONNumber(value))
        } else if let value = try? container.decode(UInt64.self) {
            self = .number(JSONNumber(value))
        } else if let value = try? container.decode(Decimal.self), let number = JSONNumber(text: value.description) {
            self = .number(number)
        } else if let number = JSONNumber(try container.decode(Double.self)) {
            self = .number(number)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a JSON value.")
        }
    }

    /// Writes the value through one of Foundation's encoders; ``JSONNumber`` says what becomes of numbers.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: MemberName.self)
            for member in object.members {
                try container.encode(member.value, forKey: MemberName(stringValue: member.name))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .string(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .number(let number):
            var container = encoder.singleValueContainer()
            try JSON.encode(number, in: &container)
        }
    }

    private static func encode(
        _ number: JSONNumber, in container: inout any SingleValueEncodingContainer
    ) throws {
        if let value = number.int64 {
            try container.encode(value)
        } else if let value = number.uint64 {
            try container.encode(value)
        } else if let value = number.decimal {
            try container.encode(value)
        } else {
            try container.encode(number.double)
        }
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSON {
    /// Makes the JSON value that `value` encodes to.
    public init(encoding value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws {
        try self.init(parsing: encoder.encode(value))
    }

    /// Decodes the value as a type of the caller's.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: Data(utf8))
    }
}
