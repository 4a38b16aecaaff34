import Notation

/// A sum of decimal numbers that loses nothing, whatever the order in which they come and go.
///
/// The sum is kept in limbs of 18 decimal digits that are not carried into each other: 10¹⁸ numbers fit before a limb
/// overflows. Only reading the sum carries.
struct ExactSum: Sendable {
    private static let limbDigits = 18
    private static let base: Int128 = 1_000_000_000_000_000_000

    /// The limbs by their places: limb *i* counts 10^(18 *i*).
    private var limbs: [Int: Int128] = [:]

    /// The most digits of a number, and the largest power of ten.
    static let maximumDigits = 100
    /// The largest exponent in magnitude.
    static let maximumExponent = 400

    /// Whether a number is short enough to be added.
    static func accepts(_ number: DecimalNumber) -> Bool {
        guard case .small(let exponent) = number.exponent else { return false }
        return number.digits.count <= maximumDigits && exponent.magnitude <= maximumExponent
    }

    /// Adds a whole number, or takes it away.
    mutating func add(_ int: Int, sign: Int128 = 1) {
        let int = Int128(int)
        limbs[0, default: 0] += sign * (int % ExactSum.base)
        let high = int / ExactSum.base
        if high != 0 { limbs[1, default: 0] += sign * high }
    }

    /// Adds a number that ``accepts(_:)`` has let through, or takes it away; any other is left out.
    ///
    /// - Complexity: O(*d*) in the number of its digits.
    mutating func add(_ number: DecimalNumber, sign: Int128 = 1) {
        guard ExactSum.accepts(number), case .small(let exponent) = number.exponent else { return }
        let sign = number.isNegative ? -sign : sign
        for (index, digit) in number.digits.enumerated() {
            let place = exponent - 1 - index
            let limb = Int((Double(place) / Double(ExactSum.limbDigits)).rounded(.down))
            var unit: Int128 = 1
            for _ in 0..<(place - limb * ExactSum.limbDigits) { unit *= 10 }
            limbs[limb, default: 0] += sign * unit * Int128(digit - UInt8(ascii: "0"))
        }
    }

    /// The sum.
    ///
    /// - Complexity: O(*l*) in the number of limbs between the first and the last, at most 50.
    var number: DecimalNumber {
        guard let lowest = limbs.keys.min(), let highest = limbs.keys.max() else { return DecimalNumber(0) }
        var (digits, carry) = ([Int128](), Int128(0))
        var place = lowest
        while place <= highest || carry != 0 && carry != -1 {
            let value = (limbs[place] ?? 0) + carry
            carry = ExactSum.quotient(value)
            digits.append(value - carry * ExactSum.base)
            place += 1
        }
        let isNegative = carry == -1
        if isNegative { digits = ExactSum.complement(digits) }
        var text = isNegative ? "-" : ""
        for limb in digits.reversed() {
            let part = String(limb)
            text += String(repeating: "0", count: ExactSum.limbDigits - part.count) + part
        }
        text += "e\(lowest * ExactSum.limbDigits)"
        return DecimalNumber(Array(text.utf8)[...])
    }

    /// The quotient by the base, rounded down.
    private static func quotient(_ value: Int128) -> Int128 {
        let quotient = value / base
        return value < 0 && quotient * base != value ? quotient - 1 : quotient
    }

    /// The difference of the limbs from the next power of the base.
    private static func complement(_ limbs: [Int128]) -> [Int128] {
        var carry: Int128 = 1
        return limbs.map { limb in
            let value = base - 1 - limb + carry
            carry = value == base ? 1 : 0
            return value == base ? 0 : value
        }
    }
}
