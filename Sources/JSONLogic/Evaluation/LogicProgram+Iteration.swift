import JSONValues

extension LogicProgram {
    /// `map`: the body's value for each element.
    func map(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var results: [LogicValue] = []
        try iterate(instruction, place, data, &state) { element, body, state throws(LogicFailure) in
            state.items.append(element)
            let result = try value(body, data, &state)
            state.items.removeLast()
            results.append(result)
            return true
        }
        return try state.array(results, at: place)
    }

    /// `filter`: the elements for which the body is taken for true.
    func filter(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var results: [LogicValue] = []
        try iterate(instruction, place, data, &state) { element, body, state throws(LogicFailure) in
            if try holds(body, element, data, &state) { results.append(element) }
            return true
        }
        return try state.array(results, at: place)
    }

    /// `reduce`: the body's value for the last element, where `accumulator` is the one for the element before.
    func reduce(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        let initial = instruction.operands.dropFirst(2).first
        var accumulator = try initial.map { operand throws(LogicFailure) in
            try value(Int(operands[operand]), data, &state)
        } ?? .null
        try iterate(instruction, place, data, &state) { element, body, state throws(LogicFailure) in
            state.items.append(try state.reduction(current: element, accumulator: accumulator, at: place))
            accumulator = try value(body, data, &state)
            state.items.removeLast()
            return true
        }
        return accumulator
    }

    /// `all`, `none` and `some`, which stop at the first element that decides; `all` is false of no elements.
    func quantify(
        _ symbol: LogicOperator, _ instruction: Instruction, _ place: Int, _ data: LogicData,
        _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        var (isEmpty, isDecided) = (true, false)
        try iterate(instruction, place, data, &state) { element, body, state throws(LogicFailure) in
            isEmpty = false
            isDecided = try holds(body, element, data, &state) != (symbol == .all)
            return !isDecided
        }
        return symbol == .some ? isDecided : symbol == .none ? !isDecided : !isEmpty && !isDecided
    }

    private func holds(
        _ body: Int, _ element: LogicValue, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        state.items.append(element)
        let holds = try truth(body, data, &state)
        state.items.removeLast()
        return holds
    }

    /// Hands each element of the first argument to a closure with the place of the body, until it returns false.
    ///
    /// Nothing is taken back where the closure throws, since the evaluation ends there.
    private func iterate(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState,
        _ turn: (LogicValue, Int, inout LogicState) throws(LogicFailure) -> Bool
    ) throws(LogicFailure) {
        let first = instruction.operands.lowerBound
        let list = try value(Int(operands[first]), data, &state)
        let body = Int(operands[first + 1])
        guard list.kind == .array else {
            // What is missing has no elements for map, filter and reduce; all, none and some would have to guess.
            if list.kind == .null, case .apply(let symbol) = instruction.code, symbol.takesNothing { return }
            throw LogicFailure(.notArray(list.kind), at: place)
        }
        state.positions.append(0)
        let level = state.positions.count - 1
        switch list {
        case .array(let array):
            for element in array.elements {
                try state.step(at: place)
                guard try turn(element, body, &state) else { break }
                state.positions[level] += 1
            }
        case .json(let node):
            for element in node.elements {
                try state.step(at: place)
                guard try turn(.json(element), body, &state) else { break }
                state.positions[level] += 1
            }
        default: break
        }
        state.positions.removeLast()
    }
}

extension LogicOperator {
    /// Whether null instead of an array is one without elements.
    fileprivate var takesNothing: Bool {
        self == .map || self == .filter || self == .reduce
    }
}
