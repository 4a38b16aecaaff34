import Foundation

/// Numbers where something ends: the ends of integers and doubles, exponents beyond any integer, long mantissas, zeros of
/// every spelling. Each is a number of JSON.
package enum EdgeNumbers {
    /// How many cases of all are a property's, in a hundred: of `CALLBOARD_NUMBER_CASES` where it is set, else of 20,000.
    package static func cases(percent: Int) -> Int {
        let all = ProcessInfo.processInfo.environment["CALLBOARD_NUMBER_CASES"].flatMap { Int($0) } ?? 20_000
        return max(1, all / 100 * percent)
    }

    /// Whole numbers around the powers of two and ten where integers and doubles end, without their signs.
    private static let wholes: [String] = {
        let twos = [0, 1, 7, 8, 15, 16, 31, 32, 52, 53, 54, 61, 62, 63, 64, 65, 127, 128]
        let powers = twos.map { Decimal(sign: .plus, exponent: 0, significand: pow(2, $0)) }
        let tens = [1, 2, 9, 10, 15, 16, 17, 18, 19, 20, 21, 22, 23, 37].map { pow(Decimal(10), $0) }
        return (powers + tens).flatMap { [$0 - 1, $0, $0 + 1] }.map { "\($0)" }
            + ["179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878"]
    }()

    private static let doubles: [Double] = [
        .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .ulpOfOne, .pi, 0.1, 1e21, 1e22,
        1e-6, 1e-7, 0x1p53, 0x1p63, 0x1p64, 9.223372036854775e18, 9.223372036854777e18, 2.5e-308,
    ]

    /// Exponents where an integer, a double or a form of writing ends, without their signs.
    private static let exponents: [String] =
        [
            0, 1, 5, 6, 7, 15, 17, 18, 19, 20, 21, 22, 23, 45, 128, 307, 308, 309, 323, 324, 325, 400, 999, 1000, 9_999,
            10_000, 32_767, 32_768, 2_147_483_646, 2_147_483_647, 2_147_483_648, 4_294_967_295, 4_294_967_296,
            999_999_999_999_999_999, 1_000_000_000_000_000_000, 1_000_000_000_000_000_001, .max - 22, .max - 18,
            .max - 1,
            .max,
        ].map { String($0) } + [
            "9223372036854775808", "9223372036854775809", "9223372036854775810", "9999999999999999999",
            "10000000000000000000", "10000000000000000001", "18446744073709551614", "18446744073709551615",
            "18446744073709551616", "18446744073709551617",
        ]

    /// A number, as JSON writes it.
    package static func text(using generator: inout SeededGenerator) -> String {
        let sign = generator.chance(3) ? "-" : ""
        switch generator.below(8) {
        case 0: return sign + pick(wholes, &generator)
        case 1: return sign + "\(pick(doubles, &generator))"
        case 2: return sign + pick(["0", "0.0", "0e0", "0E-5", "0.000", "0e99999999999999999999"], &generator)
        case 3: return sign + mantissa(&generator)
        case 4: return sign + pick(wholes, &generator) + exponent(&generator)
        default: return sign + mantissa(&generator) + exponent(&generator)
        }
    }

    /// A number, or what is nearly one: for places where a text is read as a number.
    package static func anyText(using generator: inout SeededGenerator) -> String {
        guard generator.chance(4) else { return text(using: &generator) }
        let near = [
            "", "+1", "-", "00", "01", "0x10", "1_000", "NaN", "inf", "-inf", "1e", "1e+", ".5", "5.", "\u{661}",
            "\u{FF11}", "1 ", "--1", "1,2", "9223372036854775808", "-9223372036854775809", "99999999999999999999999999",
        ]
        return pick(near, &generator)
    }

    /// A value with numbers in it.
    package static func json(depth: Int, using generator: inout SeededGenerator) -> String {
        switch generator.below(depth > 0 ? 6 : 3) {
        case 0, 1: return text(using: &generator)
        case 2: return "\"\(text(using: &generator))\""
        case 3:
            let elements = (0..<generator.below(4)).map { _ in json(depth: depth - 1, using: &generator) }
            return "[" + elements.joined(separator: ",") + "]"
        default:
            let names = ["id", "n", "a", "b"].filter { _ in !generator.chance(3) }
            let members = names.map { "\"\($0)\":" + json(depth: depth - 1, using: &generator) }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private static func pick<Element>(_ choices: [Element], _ generator: inout SeededGenerator) -> Element {
        choices[generator.below(choices.count)]
    }

    private static func mantissa(_ generator: inout SeededGenerator) -> String {
        let count = pick([1, 1, 2, 15, 16, 17, 18, 19, 20, 22, 38, 39, 100, 400], &generator)
        var digits = (0..<count).map { _ in Character(String(generator.below(10))) }
        if generator.chance(3) { digits = digits.map { _ in generator.chance(2) ? "9" : "0" } }
        let whole = digits.prefix(generator.chance(3) ? 1 : count)
        let fraction = digits.dropFirst(whole.count)
        // A number does not begin with a zero that is not its only digit.
        let start = whole.count > 1 && whole.first == "0" ? "1" + String(whole.dropFirst()) : String(whole)
        guard generator.chance(4) || !fraction.isEmpty else { return start }
        let zeros = String(repeating: "0", count: pick([0, 0, 1, 5, 18, 300], &generator))
        return start + "." + zeros + (fraction.isEmpty ? "0" : String(fraction))
    }

    private static func exponent(_ generator: inout SeededGenerator) -> String {
        let mark = pick(["e", "E", "e+", "e-", "E-", "e-"], &generator)
        let zeros = generator.chance(8) ? String(repeating: "0", count: pick([1, 3, 30], &generator)) : ""
        if generator.chance(5) {
            let count = pick([19, 20, 21, 40, 200], &generator)
            return mark + zeros + String((0..<count).map { _ in Character(String(generator.below(10))) })
        }
        return mark + zeros + pick(exponents, &generator)
    }
}
