import JSONValues

/// Arithmetic that is exact on integers, and that of doubles elsewhere.
///
/// A result of 2^53 or more in magnitude is exact or an error, whatever the operands: rounding there would change whole
/// numbers.
extension LogicNumber {
    typealias Reason = LogicEvaluationError.Reason

    /// Adds (`+`).
    static func sum(_ one: LogicNumber, _ other: LogicNumber, at place: Int) throws(LogicFailure) -> LogicNumber {
        if case (.integer(let one), .integer(let other)) = (one, other) {
            return try exact(one.addingReportingOverflow(other), at: place)
        }
        let (left, right) = (try one.double(at: place), try other.double(at: place))
        let sum = left + right
        // What was lost in rounding (Knuth's TwoSum).
        let part = sum - left
        return try rounded(sum, lost: (left - (sum - part)) + (right - part), at: place)
    }

    /// Subtracts (`-`).
    static func difference(_ one: LogicNumber, _ other: LogicNumber, at place: Int) throws(LogicFailure) -> LogicNumber
    {
        if case (.integer(let one), .integer(let other)) = (one, other) {
            return try exact(one.subtractingReportingOverflow(other), at: place)
        }
        return try sum(.number(one.double(at: place)), .number(-other.double(at: place)), at: place)
    }

    /// Multiplies (`*`).
    static func product(_ one: LogicNumber, _ other: LogicNumber, at place: Int) throws(LogicFailure) -> LogicNumber {
        if case (.integer(let one), .integer(let other)) = (one, other) {
            return try exact(one.multipliedReportingOverflow(by: other), at: place)
        }
        let (left, right) = (try one.double(at: place), try other.double(at: place))
        let product = left * right
        return try rounded(product, lost: (-product).addingProduct(left, right), at: place)
    }

    /// Divides (`/`).
    static func quotient(_ one: LogicNumber, _ other: LogicNumber, at place: Int) throws(LogicFailure) -> LogicNumber {
        if case .integer(0) = other { throw LogicFailure(.divisionByZero, at: place) }
        if case (.integer(let one), .integer(let other)) = (one, other) {
            let (quotient, overflow) = one.dividedReportingOverflow(by: other)
            if overflow { throw LogicFailure(.overflow, at: place) }
            if quotient &* other == one { return .integer(quotient) }
        }
        let (left, right) = (try one.double(at: place), try other.double(at: place))
        let quotient = left / right
        return try rounded(quotient, lost: (-left).addingProduct(quotient, right), at: place)
    }

    /// The remainder of a division, with the sign of the dividend (`%`).
    static func remainder(_ one: LogicNumber, _ other: LogicNumber, at place: Int) throws(LogicFailure) -> LogicNumber {
        if case .integer(0) = other { throw LogicFailure(.divisionByZero, at: place) }
        if case (.integer(let one), .integer(let other)) = (one, other) {
            // The one case that overflows, the smallest integer by -1, leaves nothing.
            return .integer(one.remainderReportingOverflow(dividingBy: other).partialValue)
        }
        let (left, right) = (try one.double(at: place), try other.double(at: place))
        return try rounded(left.truncatingRemainder(dividingBy: right), lost: 0, at: place)
    }

    /// The number with the other sign.
    ///
    /// - Complexity: O(*n*) in the number of a decimal number's digits.
    func negated(at place: Int) throws(LogicFailure) -> LogicNumber {
        switch self {
        case .integer(let int): return try LogicNumber.exact(Int(0).subtractingReportingOverflow(int), at: place)
        case .number(let double): return LogicNumber(-double) ?? .number(double)
        case .decimal(let number): return .decimal(number.negated)
        }
    }

    private static func exact(
        _ result: (partialValue: Int, overflow: Bool), at place: Int
    ) throws(LogicFailure) -> LogicNumber {
        if result.overflow { throw LogicFailure(.overflow, at: place) }
        return .integer(result.partialValue)
    }

    private static func rounded(
        _ result: Double, lost: Double, at place: Int
    ) throws(LogicFailure) -> LogicNumber {
        guard let number = LogicNumber(result) else { throw LogicFailure(.overflow, at: place) }
        if result.magnitude >= 0x1p53, lost != 0 { throw LogicFailure(.inexact, at: place) }
        return number
    }

    /// The number as a double: one below 2^53 of up to 17 digits, which is as many as any double is written with, may be
    /// rounded; any other has to be held exactly.
    func double(at place: Int) throws(LogicFailure) -> Double {
        switch self {
        case .number(let double): return double
        case .integer(let int):
            if let double = Double(exactly: int) { return double }
        case .decimal(let number):
            guard number.digits.count <= 17, let double = number.nearestDouble else { break }
            if double != 0, double.magnitude < 0x1p53 { return double }
        }
        throw LogicFailure(.inexact, at: place)
    }
}
