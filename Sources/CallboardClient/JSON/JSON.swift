import Notation

/// A JSON value of any shape.
///
/// Two values are equal as JSON values: the order of members does not matter, `1`, `1.0` and `1e0` are the same number,
/// and strings are equal where their bytes are. Numbers and the order of members are kept as they came, so a value that
/// is only passed on goes out as it came in: see ``JSONNumber`` for how exact a number is, and ``init(parsing:maximumDepth:)`` for the way to keep it.
public enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, with the digits it came with.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    case object(JSONObject)
}

extension JSON: Hashable {
    /// Whether both are equal as JSON values.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isVerbatim(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Feeds the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): value.hashVerbatim(into: &hasher)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSON {
    /// The truth value, or nil where the value is not `true` or `false`.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, or nil where the value is not one.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The number as an `Int`, or nil where the value is not a whole number in the range of `Int`.
    public var intValue: Int? { numberValue?.int }

    /// The number as the nearest `Double`, or nil where the value is not a number.
    public var doubleValue: Double? { numberValue?.double }

    /// The string, or nil where the value is not one.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, or nil where the value is not an array.
    public var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, or nil where the value is not an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { self == .null }

    /// The member of that name, or nil where the value is not an object or has no such member.
    public subscript(name: String) -> JSON? { objectValue?[name] }

    /// The element at that position, or nil where the value is not an array or is shorter.
    public subscript(position: Int) -> JSON? {
        guard let elements = arrayValue, elements.indices.contains(position) else { return nil }
        return elements[position]
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }

    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes a whole number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

    /// Makes a number; a literal that is not finite becomes `null`, since JSON has no such number.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }

    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Makes an object; of members with one name the last one stays.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}
