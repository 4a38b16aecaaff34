import JSONLogic
import JSONValues

/// A value in the order of a view: null, then false and true, numbers, strings, and at last arrays and objects.
enum SortKey: Sendable {
    /// Null, and a value that is not there.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number, compared exactly.
    case number(LogicNumber)
    /// A string in UTF-8, compared by its bytes, which is the order of the scalars.
    case text([UInt8])
    /// A string with the form by which people sort it; the text decides between equal forms.
    case natural(NaturalText)
    /// An array or object, compared by its canonical text.
    case other([UInt8])

    /// The longest key, in bytes. An element with a longer one is left out of its view, since each key is kept.
    static let maximumLength = 4_096

    /// Reads a value as a key; nil if it is longer than a key may be.
    ///
    /// - Complexity: O(*n* log *n*) in the length of the value's text.
    init?(_ value: LogicValue, collation: ViewSortRule.Collation = .scalars) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool == true)
        case .number:
            guard let number = LogicNumber(value), SortKey.isShort(value) else { return nil }
            self = .number(number)
        case .string:
            let bytes = Array(value.utf8 ?? [])
            guard bytes.count <= SortKey.maximumLength else { return nil }
            switch collation {
            case .scalars: self = .text(bytes)
            case .natural: self = .natural(NaturalText(bytes))
            }
        case .array, .object:
            let text = CanonicalText.bytes(of: value)
            guard text.count <= SortKey.maximumLength else { return nil }
            self = .other(text)
        }
    }

    private static func isShort(_ value: LogicValue) -> Bool {
        if case .json(let node) = value { node.textCount <= maximumLength } else { true }
    }

    /// The position of the key's kind in the order of kinds.
    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .number: 2
        case .text, .natural: 3
        case .other: 4
        }
    }

    /// A number whose order is that of the keys: of two keys with different ones, that with the lower one is the lower.
    ///
    /// Equal keys have the same. Different ones may have the same, such as texts that begin alike.
    ///
    /// - Complexity: O(1), but of a number with very many digits.
    var leading: UInt64 {
        let value: UInt64 =
            switch self {
            case .null: 0
            case .bool(let bool): bool ? 8 : 0
            case .number(let number): SortKey.leading(of: number)
            case .text(let bytes), .other(let bytes): SortKey.leading(of: bytes)
            case .natural(let natural): SortKey.leading(of: natural.form)
            }
        return UInt64(rank) << 61 | value >> 3
    }

    private static func leading(of number: LogicNumber) -> UInt64 {
        let double =
            switch number {
            case .integer(let int): Double(int)
            case .number(let double): double
            case .decimal(let decimal): decimal.nearestDouble ?? (decimal.isNegative ? -.infinity : .infinity)
            }
        let bits = (double == 0 ? 0 : double).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    private static func leading(of bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (56 - 8 * $1.offset) }
    }

    /// Whether the key is a string.
    var isText: Bool { rank == 3 }

    /// The key as a value that expressions read.
    var value: LogicValue {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): number.value
        case .text(let bytes): .utf8(bytes)
        case .natural(let natural): .utf8(natural.text)
        case .other(let bytes): .json(JSONValue(trusting: bytes).document.root)
        }
    }

    /// The key as JSON text; equal keys have the same.
    var json: [UInt8] {
        switch self {
        case .null: Array("null".utf8)
        case .bool(let bool): Array((bool ? "true" : "false").utf8)
        case .number(let number): CanonicalText.bytes(of: number)
        case .text(let bytes): JSONValue(string: String(decoding: bytes, as: UTF8.self)).bytes
        case .natural(let natural): JSONValue(string: String(decoding: natural.text, as: UTF8.self)).bytes
        case .other(let bytes): bytes
        }
    }
}

extension SortKey: Comparable {
    /// Compares kinds, and then values of one kind.
    static func == (left: SortKey, right: SortKey) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.text(let one), .text(let other)), (.other(let one), .other(let other)): one == other
        case (.natural(let one), .natural(let other)): one == other
        default: false
        }
    }

    /// Compares kinds, and then values of one kind.
    static func < (left: SortKey, right: SortKey) -> Bool {
        switch (left, right) {
        case (.bool(let one), .bool(let other)): !one && other
        case (.number(let one), .number(let other)): one < other
        case (.text(let one), .text(let other)), (.other(let one), .other(let other)):
            one.lexicographicallyPrecedes(other)
        case (.natural(let one), .natural(let other)): one < other
        default: left.rank < right.rank
        }
    }
}
