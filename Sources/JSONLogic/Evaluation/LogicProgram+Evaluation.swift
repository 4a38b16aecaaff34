import JSONValues

extension LogicProgram {
    /// Evaluates an instruction.
    ///
    /// The recursion is as deep as the expression is nested, which is limited.
    @inline(__always)
    func value(
        _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        let instruction = instructions[place]
        switch instruction.kind {
        case .constant: return constants[Int(instruction.first)]
        case .path: return try value(ofPath: instruction, place, data, &state)
        default: return try value(of: instruction, place, data, &state)
        }
    }

    private func value(
        of instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        switch instruction.kind {
        case .constant: return constants[Int(instruction.first)]
        case .path: return try value(ofPath: instruction, place, data, &state)
        case .apply(let symbol):
            try state.apply(instruction.count, at: place)
            return try apply(symbol, instruction, place, data, &state)
        case .list: return try list(instruction, place, data, &state)
        case .pathExists:
            try state.step(at: place)
            return .bool(try value(at: paths[Int(instruction.first)], of: steps, place, data, &state) != nil)
        case .key:
            // `missing` reads keys itself; as a value one stands for its own text.
            return constants[Int(instruction.second)]
        }
    }

    private func list(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        try state.apply(instruction.count, at: place)
        var elements: [LogicValue] = []
        elements.reserveCapacity(Int(instruction.count))
        for operand in instruction.operands { elements.append(try value(Int(operands[operand]), data, &state)) }
        return try state.array(elements, at: place)
    }

    private func apply(
        _ symbol: LogicOperator, _ instruction: Instruction, _ place: Int, _ data: LogicData,
        _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        switch symbol {
        case .if, .ternary: return try conditional(instruction, data, &state)
        case .and: return try chosen(instruction, until: false, data, &state)
        case .or: return try chosen(instruction, until: true, data, &state)
        case .coalesce: return try firstPresent(instruction, data, &state)
        case .not, .truth, .equal, .notEqual, .strictEqual, .strictNotEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .in:
            return .bool(try decide(symbol, instruction, place, data, &state))
        case .plus, .minus, .times, .divide, .remainder:
            return try arithmetic(symbol, instruction, place, data, &state)
        case .max, .min: return try extreme(symbol, instruction, place, data, &state)
        case .map: return try map(instruction, place, data, &state)
        case .filter: return try filter(instruction, place, data, &state)
        case .reduce: return try reduce(instruction, place, data, &state)
        case .all, .none, .some: return .bool(try quantify(symbol, instruction, place, data, &state))
        case .merge: return try merge(instruction, place, data, &state)
        case .cat: return try concatenate(instruction, place, data, &state)
        case .substring: return try substring(instruction, place, data, &state)
        case .variable: return try computedVariable(instruction, place, data, &state)
        case .value: return try computedValue(instruction, place, data, &state) ?? .null
        case .exists: return .bool(try computedValue(instruction, place, data, &state) != nil)
        case .missing: return try missing(instruction, place, data, &state)
        case .missingSome: return try missingSome(instruction, place, data, &state)
        }
    }

    /// Whether an instruction's value is taken for true, without making a value of a comparison's outcome.
    func truth(_ place: Int, _ data: LogicData, _ state: inout LogicState) throws(LogicFailure) -> Bool {
        let instruction = instructions[place]
        switch instruction.kind {
        case .apply(let symbol) where symbol.decides:
            try state.apply(instruction.count, at: place)
            return try decide(symbol, instruction, place, data, &state)
        case .path: return try isTrue(value(ofPath: instruction, place, data, &state), place, &state)
        default: return try isTrue(value(of: instruction, place, data, &state), place, &state)
        }
    }

    /// Whether a value is taken for true; a long number has to be read for that.
    func isTrue(_ value: LogicValue, _ place: Int, _ state: inout LogicState) throws(LogicFailure) -> Bool {
        var bytes = 0
        let isTrue = value.isTruthy(reading: &bytes)
        try state.read(bytes, at: place)
        return isTrue
    }

    /// Hands each argument to a closure: the operands' values, or the elements of the only one where it spreads.
    @inline(__always)
    func forEachArgument(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState,
        _ body: (LogicValue, inout LogicState) throws(LogicFailure) -> Void
    ) throws(LogicFailure) {
        for operand in instruction.operands {
            let argument = try value(Int(operands[operand]), data, &state)
            if instruction.spreads, argument.kind == .array {
                try forEachElement(argument, place, &state, body)
            } else {
                try body(argument, &state)
            }
        }
    }

    /// Hands each element of an array to a closure, and counts it as a step; any other value has none.
    @inline(__always)
    func forEachElement(
        _ value: LogicValue, _ place: Int, _ state: inout LogicState,
        _ body: (LogicValue, inout LogicState) throws(LogicFailure) -> Void
    ) throws(LogicFailure) {
        switch value {
        case .array(let array):
            for element in array.elements {
                try state.step(at: place)
                try body(element, &state)
            }
        case .json(let node):
            for element in node.elements {
                try state.step(at: place)
                try body(.json(element), &state)
            }
        default: break
        }
    }
}

extension LogicOperator {
    /// Whether the value is a truth value that ``LogicProgram/decide`` gives.
    var decides: Bool {
        switch self {
        case .not, .truth, .equal, .notEqual, .strictEqual, .strictNotEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual, .in:
            true
        default: false
        }
    }
}
