import Foundation
import Notation

/// A JSON number, kept as the text it came with.
///
/// ``JSON/init(parsing:maximumDepth:)`` and ``JSON/text`` keep every digit, whatever the size. Foundation's coders do
/// not hand that text over, so a number that passes through `JSONDecoder` is exact as far as `Int64`, `UInt64` and
/// `Decimal` (38 digits) reach, loses trailing zeros (`1.10` becomes `1.1`), and is the nearest `Double` beyond.
public struct JSONNumber: Sendable {
    /// The number as JSON writes it, such as `-12.50e3`.
    public let text: String

    /// Makes a number of its text, or nil where the text is not a JSON number (RFC 8259, section 6).
    public init?(text: String) {
        guard let length = JSONNumber.length(of: Array(text.utf8)[...]), length == text.utf8.count else { return nil }
        self.text = text
    }

    /// Makes a whole number.
    public init(_ value: some BinaryInteger) { text = String(value) }

    /// Makes a number of the shortest text that reads back as `value`, or nil where `value` is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        if let whole = Int64(exactly: value) {
            text = String(whole)
        } else {
            text = value.description
        }
    }

    /// Takes text that the parser has already checked.
    init(checked text: String) { self.text = text }

    /// The number as an `Int`, or nil where it is not whole or out of range.
    public var int: Int? { Int(text) ?? canonical.integer() }

    /// The number as an `Int64`, or nil where it is not whole or out of range.
    var int64: Int64? { Int64(text) ?? canonical.integer() }

    /// The number as a `UInt64`, or nil where it is not whole or out of range.
    var uint64: UInt64? { UInt64(text) ?? canonical.integer() }

    /// The nearest `Double`; infinite where the number is too large for one.
    public var double: Double { Double(text) ?? .nan }

    /// The number as a `Decimal`, or nil where it has more than 38 digits or too large an exponent.
    public var decimal: Decimal? {
        let canonical = canonical
        // The exponent is that of a mantissa below one; one beyond a thousand is out of range whatever the digits are.
        guard canonical.digits.count <= 38, case .small(let exponent) = canonical.exponent,
            (-1000...1000).contains(exponent), (-128...90).contains(exponent - canonical.digits.count)
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// The number without the freedom of spelling, exact whatever its exponent.
    private var canonical: DecimalNumber { DecimalNumber(Array(text.utf8)[...]) }
}

extension JSONNumber: Hashable {
    /// Whether both stand for the same number: `1`, `1.0` and `10e-1` do.
    public static func == (left: Self, right: Self) -> Bool {
        left.text == right.text || left.canonical == right.canonical
    }

    /// Feeds the number, not its spelling, to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as JSON writes it.
    public var description: String { text }
}

extension JSONNumber {
    /// The length of the number that `bytes` begin with, or nil where they do not begin with one.
    static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        func digits() -> Int {
            let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(run.count)
            return run.count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        if rest.first == UInt8(ascii: "0") {
            rest = rest.dropFirst()
        } else if digits() == 0 {
            return nil
        }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return nil }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return nil }
        }
        return bytes.count - rest.count
    }
}
