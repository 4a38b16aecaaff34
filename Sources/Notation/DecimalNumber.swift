/// A JSON number as the decimal number that it stands for, whatever its size: 0.*d₁d₂…dₙ* × 10^*exponent*, signed.
///
/// The form is canonical, so equal numbers compare equal however they are written: 1, 1.0 and 10e-1; 0, -0 and 0e99.
/// Nothing is expanded: 1e999999999 takes as little as 1e9.
package struct DecimalNumber: Hashable, Sendable {
    /// A power of ten.
    package enum Exponent: Hashable, Sendable {
        /// One that fits. It may be `Int.min` or `Int.max`: what is computed of it reports overflow.
        case small(Int)
        /// One beyond `Int`: its decimal digits without leading zeros.
        case large(isNegative: Bool, digits: [UInt8])
    }

    /// Whether the number is below zero.
    package private(set) var isNegative = false

    /// The significant digits in ASCII, the first and the last one not zero; none for zero.
    package private(set) var digits: [UInt8] = []

    /// The power of ten; zero for zero.
    package private(set) var exponent = Exponent.small(0)

    /// Reads a number that the parser has accepted.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package init(_ text: ArraySlice<UInt8>) {
        let zero = UInt8(ascii: "0")
        var rest = text
        if rest.first == UInt8(ascii: "-") {
            isNegative = true
            rest = rest.dropFirst()
        }
        let mark = rest.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } ?? rest.endIndex
        let mantissa = rest[..<mark]
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        let whole = mantissa[..<point].drop { $0 == zero }
        var fraction = mantissa[point...].dropFirst()
        var scale = whole.count
        if whole.isEmpty {
            let significant = fraction.drop { $0 == zero }
            scale = -(fraction.count - significant.count)
            fraction = significant
        }
        digits = Array(whole)
        digits += fraction
        while digits.last == zero { digits.removeLast() }
        guard !digits.isEmpty else {
            isNegative = false
            return
        }
        exponent = DecimalNumber.sum(of: rest[mark...].dropFirst(), and: scale)
    }

    /// The number, where it is a whole one that fits.
    package var int: Int? { integer() }

    /// The number, where it is a whole one that fits into a type of at most 64 bits.
    package func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) -> Integer? {
        guard !digits.isEmpty else { return 0 }
        // No such integer has more than 20 digits, so that a longer run of zeros need not be written out.
        guard case .small(let places) = exponent, places >= digits.count, places <= 20 else { return nil }
        let text = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
        return Integer(text + String(repeating: "0", count: places - digits.count))
    }

    /// Adds the exponent as it is written, possibly beyond any integer, and the place of the point.
    private static func sum(of text: ArraySlice<UInt8>, and scale: Int) -> Exponent {
        let isNegative = text.first == UInt8(ascii: "-")
        let hasSign = isNegative || text.first == UInt8(ascii: "+")
        let magnitude = (hasSign ? text.dropFirst() : text).drop { $0 == UInt8(ascii: "0") }
        if magnitude.count <= 18 {
            // Below 10^18, and the scale is at most the length of a text: the sum cannot overflow.
            let value = magnitude.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return .small((isNegative ? -value : value) + scale)
        }
        let digits = adding(isNegative ? -scale : scale, to: Array(magnitude))
        if digits.count <= 19, let value = Int((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)) {
            return .small(value)
        }
        return .large(isNegative: isNegative, digits: digits)
    }

    /// Adds a number to decimal digits that stand for at least 10^18, more than its magnitude: there is no change of
    /// sign.
    private static func adding(_ addend: Int, to digits: [UInt8]) -> [UInt8] {
        var sum = digits
        var carry = addend
        var position = sum.count - 1
        while carry != 0, position >= 0 {
            let column = Int(sum[position] - UInt8(ascii: "0")) + carry
            let digit = ((column % 10) + 10) % 10
            sum[position] = UInt8(ascii: "0") + UInt8(digit)
            carry = (column - digit) / 10
            position -= 1
        }
        if carry > 0 { sum.insert(contentsOf: Array(String(carry).utf8), at: 0) }
        return Array(sum.drop { $0 == UInt8(ascii: "0") })
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The number in its canonical form: plain with few added zeros, otherwise with an exponent, as in ECMAScript.
    package var description: String {
        guard !digits.isEmpty else { return "0" }
        let significant = String(decoding: digits, as: UTF8.self)
        return (isNegative ? "-" : "") + unsigned(significant)
    }

    private func unsigned(_ significant: String) -> String {
        let count = digits.count
        if case .small(let places) = exponent {
            if places >= count, places <= 21 { return significant + String(repeating: "0", count: places - count) }
            if places > 0, places < count { return significant.prefix(places) + "." + significant.dropFirst(places) }
            if -6 < places, places <= 0 { return "0." + String(repeating: "0", count: -places) + significant }
        }
        guard let power = exponent.oneLess else { return "0.\(significant)e\(exponent)" }
        let mantissa = count == 1 ? significant : significant.prefix(1) + "." + significant.dropFirst()
        return "\(mantissa)e\(power)"
    }
}

extension DecimalNumber.Exponent: CustomStringConvertible {
    /// The exponent one below, which a digit before the point takes; nil where either is beyond `Int`.
    fileprivate var oneLess: Int? {
        guard case .small(let power) = self else { return nil }
        let (less, overflow) = power.subtractingReportingOverflow(1)
        return overflow ? nil : less
    }

    /// The exponent in decimal digits.
    package var description: String {
        switch self {
        case .small(let power): String(power)
        case .large(let isNegative, let digits): (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
        }
    }
}
