import TestSupport

/// Writes a model in one of the many ways that mean the same.
struct Rendering {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func text(_ model: Model) -> String {
        space() + bare(model) + space()
    }

    private mutating func space() -> String {
        generator.chance(3) ? ([" ", "\n", "\t", "\r\n  "].randomElement(using: &generator) ?? "") : ""
    }

    private mutating func bare(_ model: Model) -> String {
        switch model {
        case .null: return "null"
        case .bool(let bool): return bool ? "true" : "false"
        case .number(let mantissa, let exponent): return number(mantissa, exponent)
        case .string(let string): return quoted(string)
        case .array(let elements):
            var parts: [String] = []
            for element in elements { parts.append(text(element)) }
            return "[" + space() + parts.joined(separator: ",") + "]"
        case .object(let members):
            var parts: [String] = []
            for member in members.shuffled(using: &generator) {
                parts.append(space() + quoted(member.name) + space() + ":" + text(member.value))
            }
            return "{" + space() + parts.joined(separator: ",") + "}"
        }
    }

    private mutating func number(_ mantissa: Int, _ exponent: Int) -> String {
        if mantissa == 0 {
            return ["0", "-0", "0.0", "0e7", "-0.000E-2", "0e99999999999999999999"].randomElement(using: &generator)
                ?? "0"
        }
        // The mantissa written with zeros behind it or a point inside it, and the exponent that makes up for that.
        var digits = String(mantissa.magnitude)
        var power = exponent
        let zeros = Int.random(in: 0...2, using: &generator)
        digits += String(repeating: "0", count: zeros)
        power -= zeros
        if generator.chance(2) {
            let places = Int.random(in: 1...digits.count, using: &generator)
            let whole = digits.dropLast(places)
            digits = (whole.isEmpty ? "0" : String(whole)) + "." + digits.suffix(places)
            power += places
        }
        let sign = mantissa < 0 ? "-" : ""
        if power == 0, generator.chance(2) { return sign + digits }
        let mark = generator.chance(2) ? "e" : "E"
        let plus = power >= 0 && generator.chance(2) ? "+" : ""
        let padding = generator.chance(4) ? "000" : ""
        return sign + digits + mark + (power < 0 ? "-" : plus) + padding + String(power.magnitude)
    }

    private mutating func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || generator.chance(4) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: .random(using: &generator))
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
