import JSONValues

extension LogicProgram {
    /// Whether a comparison holds between two values.
    func compare(
        _ symbol: LogicOperator, _ one: LogicValue, _ other: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        switch symbol {
        case .equal: return try isEqual(one, other, place, &state)
        case .notEqual: return try !isEqual(one, other, place, &state)
        case .strictEqual: return try isSame(one, other, place, &state)
        case .strictNotEqual: return try !isSame(one, other, place, &state)
        case .less: return try isLess(one, other, place, &state)
        case .greater: return try isLess(other, one, place, &state)
        // Every two values that can be compared are in one order, so that the contrary is as good.
        case .lessOrEqual: return try !isLess(other, one, place, &state)
        default: return try !isLess(one, other, place, &state)
        }
    }

    /// `==`: two strings as strings, null with nothing but null, zero and false, anything else as numbers.
    private func isEqual(
        _ one: LogicValue, _ other: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        if let one = one.shortInteger {
            if let other = other.shortInteger { return one == other }
        } else if case .json(let node) = one, case .utf8(let bytes) = other, node.isString(bytes) {
            try state.read(bytes.count, at: place)
            return true
        }
        switch (one.kind, other.kind) {
        case (.string, .string): return try isSameText(one, other, place, &state)
        case (.null, .null): return true
        case (.null, .number), (.null, .bool), (.number, .null), (.bool, .null):
            return try number(one, place, &state) == number(other, place, &state)
        case (.null, _), (_, .null): return false
        default: return try number(one, place, &state) == number(other, place, &state)
        }
    }

    /// `===`: of the same kind and equal as JSON values, arrays and objects by what they hold.
    func isSame(
        _ one: LogicValue, _ other: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        if let one = one.shortInteger, let other = other.shortInteger { return one == other }
        let kind = one.kind
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .bool: return one.bool == other.bool
        case .number: return try number(one, place, &state) == number(other, place, &state)
        case .string: return try isSameText(one, other, place, &state)
        case .array, .object:
            try state.compare(one.size + other.size, at: place)
            for built in [one, other] where built.isBuilt { try state.compare(built: built.size, at: place) }
            guard let left = one.node, let right = other.node else {
                throw LogicFailure(.tooDeep(limit: JSONDocument.ceilingDepth), at: place)
            }
            return left.isEqual(to: right)
        }
    }

    /// Compares two strings code point by code point.
    private func isSameText(
        _ one: LogicValue, _ other: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        switch (one, other) {
        case (.utf8(let left), .utf8(let right)):
            try state.read(min(left.count, right.count), at: place)
            return left == right
        case (.json(let node), .utf8(let bytes)), (.utf8(let bytes), .json(let node)):
            try state.read(min(node.textCount, bytes.count), at: place)
            return node.isString(bytes)
        default:
            try state.read(one.readLength + other.readLength, at: place)
            return one.utf8 == other.utf8
        }
    }

    /// `<`: two strings by their code points, anything else as numbers.
    private func isLess(
        _ one: LogicValue, _ other: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        if let one = one.shortInteger, let other = other.shortInteger { return one < other }
        if case (.string, .string) = (one.kind, other.kind) {
            // Counted before escapes are decoded.
            try state.read(one.readLength + other.readLength, at: place)
            guard let left = one.utf8, let right = other.utf8 else { return false }
            // The order of UTF-8 is that of the code points.
            return left.lexicographicallyPrecedes(right)
        }
        return try isLess(number(one, place, &state), number(other, place, &state), place, &state)
    }

    /// `<` of numbers; a number of many digits is compared digit by digit, and the other one is written out for that.
    func isLess(
        _ one: LogicNumber, _ other: LogicNumber, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        if one.isDecimal || other.isDecimal { try state.step(LogicState.conversion, at: place) }
        return one < other
    }

    /// The number that a value stands for.
    func number(
        _ value: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicNumber {
        if let int = value.shortInteger { return .integer(int) }
        switch value.kind {
        case .string, .number:
            try state.step(at: place)
            try state.read(value.readLength, at: place)
        default: break
        }
        var digits = 0
        let number = LogicNumber(value, reading: &digits)
        try state.convert(digits, at: place)
        guard let number else { throw LogicFailure(.notNumber(value.kind), at: place) }
        return number
    }
}

extension LogicValue {
    /// The number, where it is at hand: an integer, in a document one of few digits.
    fileprivate var shortInteger: Int? {
        switch self {
        case .integer(let int): int
        case .json(let node): node.shortInteger
        default: nil
        }
    }

    /// Whether the value was not read from a document, and has to be written and read for a comparison.
    fileprivate var isBuilt: Bool {
        if case .json = self { false } else { true }
    }

    /// The value as part of a document; nil where it is nested too deep for one.
    ///
    /// - Complexity: O(1) for a node, else O(*n*) in the length of the value's text.
    fileprivate var node: JSONNode? {
        if case .json(let node) = self { return node }
        var bytes: [UInt8] = []
        append(to: &bytes)
        return try? JSONDocument(bytes, maximumDepth: JSONDocument.ceilingDepth).root
    }
}
