import Notation

/// A JSON number (RFC 8259, section 6) in the form that it can be computed with.
package enum JSONNumber: Sendable {
    /// A whole number in the range of `Int`, however it is written: `10`, `10.0`, `1e1`.
    case integer(Int)
    /// Another number that is the shortest text of this double, so that nothing is lost by the conversion.
    case double(Double)
    /// A number that neither holds, such as `12345678901234567890` or `1e400`.
    case decimal(DecimalNumber)

    /// Reads a number that the parser has accepted; a plus sign and a mantissa without digits before or after its point
    /// are taken too.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package init(_ text: ArraySlice<UInt8>) {
        if let short = JSONNumber(short: text) {
            self = short
        } else {
            self.init(DecimalNumber(text))
        }
    }

    /// Converts a decimal number.
    ///
    /// - Complexity: O(*n*) in the number of its digits.
    package init(_ number: DecimalNumber) {
        if let int = number.int {
            self = .integer(int)
        } else if number.digits.count <= 17, let double = number.nearestDouble, DecimalNumber(double) == number {
            // No double takes more than 17 digits to write.
            self = .double(double)
        } else {
            self = .decimal(number)
        }
    }

    /// Reads a number of at most 15 significant digits and a small exponent, which nearly all are.
    ///
    /// So many digits and a power of ten up to 10^22 are exact as doubles, and one division gives the nearest double.
    /// Every double nearest to so few digits is written with them.
    package init?(short text: ArraySlice<UInt8>) {
        guard text.count <= 32, let parts = JSONNumber.parts(text) else { return nil }
        var (magnitude, exponent) = (parts.magnitude, parts.exponent)
        while exponent < 0, magnitude % 10 == 0, magnitude > 0 {
            magnitude /= 10
            exponent += 1
        }
        if magnitude == 0 {
            self = .integer(0)
        } else if exponent == 0 {
            self = .integer(parts.isNegative ? -magnitude : magnitude)
        } else if magnitude < 1_000_000_000_000_000, -22 <= exponent, exponent < 0 {
            let double = Double(magnitude) / JSONNumber.powersOfTen[-exponent]
            self = .double(parts.isNegative ? -double : double)
        } else {
            return nil
        }
    }

    /// Whether two texts of numbers stand for the same one, whatever the forms.
    static func isEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        switch (JSONNumber(short: one), JSONNumber(short: other)) {
        case (.integer(let one)?, .integer(let other)?): one == other
        case (.double(let one)?, .double(let other)?): one == other
        // One that is short has no other short form.
        case (_?, _?): false
        default: DecimalNumber(one) == DecimalNumber(other)
        }
    }

    private static let powersOfTen: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    /// The digits as one integer below 10^18 and the power of ten to multiply it by; nil where either is larger.
    private static func parts(_ text: ArraySlice<UInt8>) -> (isNegative: Bool, magnitude: Int, exponent: Int)? {
        var (isNegative, magnitude, exponent, isFraction) = (false, 0, 0, false)
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard magnitude < 100_000_000_000_000_000 else { return nil }
                magnitude = magnitude * 10 + Int(byte - UInt8(ascii: "0"))
                if isFraction { exponent -= 1 }
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): break
            case UInt8(ascii: "."): isFraction = true
            default:
                guard let power = smallExponent(text[(position + 1)...]) else { return nil }
                return (isNegative, magnitude, exponent + power)
            }
            position += 1
        }
        return (isNegative, magnitude, exponent)
    }

    private static func smallExponent(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.count <= 4 else { return nil }
        var (power, isNegative) = (0, false)
        for byte in text {
            if byte == UInt8(ascii: "-") { isNegative = true }
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { continue }
            power = power * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return isNegative ? -power : power
    }
}

extension JSONNode {
    /// Whether the value is a number that equals zero.
    ///
    /// - Complexity: O(*n*) in the number of zeros that its text begins with.
    package var isZero: Bool {
        guard case .number = kind else { return false }
        for byte in text {
            switch byte {
            case UInt8(ascii: "1")...UInt8(ascii: "9"): return false
            case UInt8(ascii: "e"), UInt8(ascii: "E"): return true
            default: continue
            }
        }
        return true
    }

    /// The number in the form that it can be computed with.
    ///
    /// - Complexity: O(*n*) in the length of its text.
    package var number: JSONNumber? {
        kind == .number ? JSONNumber(text) : nil
    }
}
