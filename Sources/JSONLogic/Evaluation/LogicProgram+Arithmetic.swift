import JSONValues

extension LogicProgram {
    /// `+`, `-`, `*`, `/` and `%`: from the first argument to the last.
    ///
    /// With one argument `+` gives it as a number, `-` with the other sign, `/` its reciprocal, and `*` itself.
    func arithmetic(
        _ symbol: LogicOperator, _ instruction: Instruction, _ place: Int, _ data: LogicData,
        _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var result: LogicNumber?
        var count = 0
        try forEachArgument(instruction, place, data, &state) { value, state throws(LogicFailure) in
            let number = try number(value, place, &state)
            count += 1
            guard let former = result else {
                result = number
                return
            }
            result = try LogicProgram.combine(symbol, former, number, place)
        }
        guard symbol.arity.contains(count) || result == nil && symbol.arity.lowerBound == 0 else {
            throw LogicFailure(.argumentCount, at: place)
        }
        if case .decimal(let number)? = result { try state.convert(number.digits.count, at: place) }
        switch (symbol, result) {
        case (.minus, let number?) where count == 1: return try number.negated(at: place).value
        case (.divide, let number?) where count == 1:
            return try LogicNumber.quotient(.integer(1), number, at: place).value
        case (_, let number?): return number.value
        case (.times, nil): return .integer(1)
        case (_, nil): return .integer(0)
        }
    }

    private static func combine(
        _ symbol: LogicOperator, _ one: LogicNumber, _ other: LogicNumber, _ place: Int
    ) throws(LogicFailure) -> LogicNumber {
        switch symbol {
        case .plus: try LogicNumber.sum(one, other, at: place)
        case .minus: try LogicNumber.difference(one, other, at: place)
        case .times: try LogicNumber.product(one, other, at: place)
        case .divide: try LogicNumber.quotient(one, other, at: place)
        default: try LogicNumber.remainder(one, other, at: place)
        }
    }

    /// `max` and `min`: the first of the largest, or smallest, arguments. A number keeps its text; another value is
    /// given as the number that it stands for.
    func extreme(
        _ symbol: LogicOperator, _ instruction: Instruction, _ place: Int, _ data: LogicData,
        _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var best: (number: LogicNumber, value: LogicValue)?
        try forEachArgument(instruction, place, data, &state) { value, state throws(LogicFailure) in
            let number = try number(value, place, &state)
            if let former = best {
                let isBeyond =
                    symbol == .max
                    ? try isLess(former.number, number, place, &state)
                    : try isLess(number, former.number, place, &state)
                guard isBeyond else { return }
            }
            best = (number, value)
        }
        guard let best else { throw LogicFailure(.argumentCount, at: place) }
        if case .decimal(let number) = best.number { try state.convert(number.digits.count, at: place) }
        return best.value.kind == .number ? best.value : best.number.value
    }
}
