import JSONValues

extension LogicProgram {
    /// `map`: the body's value for each element.
    func map(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var results: [LogicValue] = []
        try iterate(instruction, place, data, &state) { element, position, body, state throws(LogicFailure) in
            state.scopes.append(LogicState.Scope(item: element, position: position))
            let result = try value(body, data, &state)
            state.scopes.removeLast()
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
        try iterate(instruction, place, data, &state) { element, position, body, state throws(LogicFailure) in
            if try holds(body, element, position, data, &state) { results.append(element) }
            return true
        }
        return try state.array(results, at: place)
    }

    /// `reduce`: the body's value for the last element, where `accumulator` is the one for the element before.
    func reduce(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        let initial = instruction.operands.dropFirst(2).first
        var accumulator = LogicValue.null
        if let initial { accumulator = try value(Int(operands[initial]), data, &state) }
        try iterate(instruction, place, data, &state) { element, position, body, state throws(LogicFailure) in
            let item = try state.reduction(current: element, accumulator: accumulator, at: place)
            state.scopes.append(LogicState.Scope(item: item, position: position))
            accumulator = try value(body, data, &state)
            state.scopes.removeLast()
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
        try iterate(instruction, place, data, &state) { element, position, body, state throws(LogicFailure) in
            isEmpty = false
            isDecided = try holds(body, element, position, data, &state) != (symbol == .all)
            return !isDecided
        }
        return symbol == .some ? isDecided : symbol == .none ? !isDecided : !isEmpty && !isDecided
    }

    private func holds(
        _ body: Int, _ element: LogicValue, _ position: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        state.scopes.append(LogicState.Scope(item: element, position: position))
        let holds = try truth(body, data, &state)
        state.scopes.removeLast()
        return holds
    }

    /// Hands each element of the first argument to a closure with its position and the place of the body, until it
    /// returns false.
    ///
    /// Nothing is taken back where the closure throws, since the evaluation ends there.
    @inline(__always)
    private func iterate(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState,
        _ turn: (LogicValue, Int, Int, inout LogicState) throws(LogicFailure) -> Bool
    ) throws(LogicFailure) {
        let first = instruction.operands.lowerBound
        let list = try value(Int(operands[first]), data, &state)
        let body = Int(operands[first + 1])
        switch list {
        case .array(let array):
            for (position, element) in array.elements.enumerated() {
                try state.step(at: place)
                guard try turn(element, position, body, &state) else { return }
            }
        case .json(let node) where node.kind == .array:
            for (position, element) in node.elements.enumerated() {
                try state.step(at: place)
                guard try turn(.json(element), position, body, &state) else { return }
            }
        default:
            // What is missing has no elements for map, filter and reduce; all, none and some would have to guess.
            if list.kind == .null, case .apply(let symbol) = instruction.kind, symbol.takesNothing { return }
            throw LogicFailure(.notArray(list.kind), at: place)
        }
    }
}

extension LogicOperator {
    /// Whether null instead of an array is one without elements.
    var takesNothing: Bool {
        self == .map || self == .filter || self == .reduce
    }
}
