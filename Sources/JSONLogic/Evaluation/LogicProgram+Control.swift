import JSONValues

extension LogicProgram {
    /// `if` and `?:`: condition, value, condition, value… and the value for none; null where there is none.
    func conditional(
        _ instruction: Instruction, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var position = instruction.operands.lowerBound
        let end = instruction.operands.upperBound
        while position + 1 < end {
            if try truth(Int(operands[position]), data, &state) {
                return try value(Int(operands[position + 1]), data, &state)
            }
            position += 2
        }
        return position < end ? try value(Int(operands[position]), data, &state) : .null
    }

    /// `and` and `or`: the first value that is taken for this truth value, else the last one; false where there is none.
    func chosen(
        _ instruction: Instruction, until truth: Bool, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var last = LogicValue.bool(false)
        for operand in instruction.operands {
            let place = Int(operands[operand])
            last = try value(place, data, &state)
            if try isTrue(last, place, &state) == truth { return last }
        }
        return last
    }

    /// `??`: the first value that is not null, else null.
    func firstPresent(
        _ instruction: Instruction, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        for operand in instruction.operands {
            let value = try value(Int(operands[operand]), data, &state)
            if value.kind != .null { return value }
        }
        return .null
    }

    /// The operators that give a truth value and evaluate all of their arguments by the same rule.
    func decide(
        _ symbol: LogicOperator, _ instruction: Instruction, _ place: Int, _ data: LogicData,
        _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        let first = instruction.operands.lowerBound
        switch symbol {
        case .not: return instruction.count == 0 ? true : try !truth(Int(operands[first]), data, &state)
        case .truth: return instruction.count == 0 ? false : try truth(Int(operands[first]), data, &state)
        case .in:
            let needle = try value(Int(operands[first]), data, &state)
            let haystack = try value(Int(operands[first + 1]), data, &state)
            return try contains(haystack, needle, place, &state)
        default: break
        }
        let one = try value(Int(operands[first]), data, &state)
        let other = try value(Int(operands[first + 1]), data, &state)
        let holds = try compare(symbol, one, other, place, &state)
        guard instruction.count > 2, holds else { return holds }
        return try compareRest(symbol, instruction, after: other, place, data, &state)
    }

    /// Compares each argument behind the second with the one before it; those behind the first that does not hold are not
    /// evaluated.
    private func compareRest(
        _ symbol: LogicOperator, _ instruction: Instruction, after second: LogicValue, _ place: Int,
        _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        var previous = second
        for operand in instruction.operands.dropFirst(2) {
            let next = try value(Int(operands[operand]), data, &state)
            try state.step(at: place)
            guard try compare(symbol, previous, next, place, &state) else { return false }
            previous = next
        }
        return true
    }
}
