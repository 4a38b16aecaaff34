extension DecimalNumber {
    /// The shortest number that reads back as the same double; zero for one that is not finite.
    package init(_ double: Double) {
        self.init(Array((double.isFinite ? double : 0).description.utf8)[...])
    }

    /// A whole number.
    package init(_ int: Int) {
        self.init(Array(String(int).utf8)[...])
    }

    /// The number with the other sign.
    package var negated: DecimalNumber {
        var text = Array(description.utf8)
        if isNegative { text.removeFirst() } else { text.insert(UInt8(ascii: "-"), at: 0) }
        return DecimalNumber(text[...])
    }

    /// The nearest double, nil where that is infinite.
    ///
    /// - Complexity: O(*n*) in the number of digits.
    package var nearestDouble: Double? {
        Double(description).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension DecimalNumber: Comparable {
    /// Compares exactly, whatever the size of the numbers.
    ///
    /// - Complexity: O(*n*) in the number of digits.
    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        let (leftSign, rightSign) = (left.sign, right.sign)
        guard leftSign == rightSign else { return leftSign < rightSign }
        return switch leftSign {
        case 0: false
        case 1: left.isSmallerInMagnitude(than: right)
        default: right.isSmallerInMagnitude(than: left)
        }
    }

    private var sign: Int {
        digits.isEmpty ? 0 : isNegative ? -1 : 1
    }

    /// Compares numbers other than zero: the first digit is not zero, so the larger exponent decides.
    private func isSmallerInMagnitude(than other: DecimalNumber) -> Bool {
        exponent == other.exponent
            ? digits.lexicographicallyPrecedes(other.digits) : exponent.isSmaller(than: other.exponent)
    }
}

extension DecimalNumber.Exponent {
    fileprivate func isSmaller(than other: Self) -> Bool {
        switch (self, other) {
        case (.small(let one), .small(let another)): one < another
        case (.small, .large(let isNegative, _)): !isNegative
        case (.large(let isNegative, _), .small): isNegative
        case (.large(let isNegative, let one), .large(let isOtherNegative, let another)):
            switch (isNegative, isOtherNegative) {
            case (true, false): true
            case (false, true): false
            case (false, false): Self.isSmaller(one, than: another)
            case (true, true): Self.isSmaller(another, than: one)
            }
        }
    }

    private static func isSmaller(_ one: [UInt8], than other: [UInt8]) -> Bool {
        one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }
}
