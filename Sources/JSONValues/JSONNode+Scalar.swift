extension JSONNode {
    /// A string, number or truth value as a text that equal values share, nil for any other kind.
    ///
    /// A string is itself; a number is brought into one form, so that 1, 1.0 and 10e-1 all give `1`.
    ///
    /// - Complexity: O(*n*) in the length of the value's text.
    package var scalarText: String? {
        switch kind {
        case .string: string
        case .bool: bool == true ? "true" : "false"
        case .number: smallInteger.map(String.init) ?? DecimalNumber(text).description
        case .null, .array, .object: nil
        }
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The number in one form: plain where it has few zeros to be filled in, else with an exponent, as ECMAScript has
    /// it.
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
        let mantissa = count == 1 ? significant : significant.prefix(1) + "." + significant.dropFirst()
        switch exponent {
        case .small(let places): return "\(mantissa)e\(places - 1)"
        case .large(let isNegative, let digits):
            // One less than the power of ten would be customary; what matters is that the form is unique.
            return "0.\(significant)e\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))"
        }
    }
}
