import Foundation

/// A value of a random source as the oracle orders it, without any of the code under test.
enum NaiveValue: Equatable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    /// An array or object by its canonical text.
    case other(String)

    /// The values that sources are made of, by their JSON texts.
    static let all: [String: NaiveValue] = [
        "null": .null, "true": .bool(true), "false": .bool(false), "0": .number(0), "1": .number(1), "1.0": .number(1),
        "2": .number(2), "3": .number(3), "10": .number(10), "-2": .number(-2), "1.5": .number(1.5),
        "0.1": number("0.1"),
        "0.2": number("0.2"), "2.25": number("2.25"), "1e2": .number(100), "-7e-3": number("-0.007"),
        "12345678901234567890": number("12345678901234567890"),
        "-12345678901234567889.5": number("-12345678901234567889.5"),
        #""1""#: .string("1"), #""2""#: .string("2"), #""a""#: .string("a"), #""b""#: .string("b"),
        #""null""#: .string("null"), #""a2""#: .string("a2"), #""a10""#: .string("a10"), #""A2""#: .string("A2"),
        #""a02""#: .string("a02"), #""B1""#: .string("B1"), #""b1x20""#: .string("b1x20"), #""é""#: .string("é"),
        "[1]": .other("[1]"), #"{"x":1}"#: .other(#"{"x":1}"#), #"{"y":2,"x":1.0}"#: .other(#"{"x":1,"y":2}"#),
        #"{"x":1,"y":2}"#: .other(#"{"x":1,"y":2}"#), #"{"x":1.0,"y":2}"#: .other(#"{"x":1,"y":2}"#),
        #"{"y":2,"x":1}"#: .other(#"{"x":1,"y":2}"#),
    ]

    private static func number(_ text: String) -> NaiveValue {
        .number(Decimal(string: text) ?? 0)
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .number: 2
        case .string: 3
        case .other: 4
        }
    }

    /// Whether a value stands in front of another one; nil where they are equal.
    func precedes(_ other: NaiveValue, isNatural: Bool = false) -> Bool? {
        if self == other { return nil }
        switch (self, other) {
        case (.bool(let one), .bool): return !one
        case (.number(let one), .number(let other)): return one < other
        case (.string(let one), .string(let other)):
            if isNatural, let precedes = NaiveValue.natural(one, other) { return precedes }
            return Array(one.utf8).lexicographicallyPrecedes(Array(other.utf8))
        case (.other(let one), .other(let other)): return one < other
        default: return rank < other.rank
        }
    }

    /// The identifier of a section with this key.
    var identifier: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): "\(number)"
        case .string(let string): string
        case .other(let text): text
        }
    }

    /// The text that `cat` makes of it; nil for arrays and objects.
    var catText: String? {
        switch self {
        case .null: ""
        case .other: nil
        case .bool, .number, .string: identifier
        }
    }

    private enum Token {
        case digits(Int)
        case letter(UInt8)
    }

    private static func tokens(_ text: String) -> [Token] {
        var tokens: [Token] = []
        for byte in text.lowercased().utf8 {
            if (48...57).contains(byte) {
                if case .digits(let number)? = tokens.last {
                    tokens[tokens.count - 1] = .digits(number * 10 + Int(byte - 48))
                } else {
                    tokens.append(.digits(Int(byte - 48)))
                }
            } else {
                tokens.append(.letter(byte))
            }
        }
        return tokens
    }

    private static func natural(_ one: String, _ other: String) -> Bool? {
        let (left, right) = (tokens(one), tokens(other))
        for (first, second) in zip(left, right) {
            switch (first, second) {
            case (.digits(let a), .digits(let b)): if a != b { return a < b }
            case (.letter(let a), .letter(let b)): if a != b { return a < b }
            case (.digits, .letter(let b)): return 48 < b
            case (.letter(let a), .digits): return a < 48
            }
        }
        return left.count == right.count ? nil : left.count < right.count
    }
}
