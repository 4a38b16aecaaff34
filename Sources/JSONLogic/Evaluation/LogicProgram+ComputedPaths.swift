import JSONValues

extension LogicProgram {
    /// `var` with a path that is computed.
    func computedVariable(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        let first = instruction.operands.lowerBound
        let path = try value(Int(operands[first]), data, &state)
        if let value = try value(at: dotted(path, place, &state), place, data, &state) { return value }
        return instruction.count > 1 ? try value(Int(operands[first + 1]), data, &state) : .null
    }

    /// `val` and `exists` with a computed path: its steps are the arguments, or the elements of the only argument's
    /// array.
    func computedValue(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        var steps: [LogicValue] = []
        for operand in instruction.operands { steps.append(try value(Int(operands[operand]), data, &state)) }
        if steps.count == 1, steps[0].kind == .array, LogicCode.level(steps[0]) == nil {
            let list = steps.removeLast()
            try forEachElement(list, place, &state) { element, _ throws(LogicFailure) in steps.append(element) }
        }
        if steps.count == 1, steps[0].kind == .null { steps = [] }
        try state.read(steps.first?.readLength ?? 0, at: place)
        let level = steps.first.flatMap(LogicCode.level)
        var names: [String] = []
        for step in steps.dropFirst(level == nil ? 0 : 1) { names.append(try text(of: step, place, &state)) }
        return try value(at: names, level: level ?? 0, place, data, &state)
    }

    /// `missing`: those of the keys that lead to nothing, null or an empty string.
    func missing(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        try missing(instruction.operands, place, data, &state).keys
    }

    /// `missing_some`: nothing where at least so many of the keys are there, else those that are missing.
    func missingSome(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        let first = instruction.operands.lowerBound
        let need = try number(value(Int(operands[first]), data, &state), place, &state)
        let (keys, found) = try missing(instruction.operands.dropFirst(), place, data, &state)
        return .integer(found) < need ? keys : try state.array([], at: place)
    }

    private func missing(
        _ keys: Range<Int>, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> (keys: LogicValue, found: Int) {
        var (missing, found): ([LogicValue], Int) = ([], 0)
        func note(_ key: LogicValue, _ value: LogicValue?) {
            if value?.isBlank ?? true { missing.append(key) } else { found += 1 }
        }
        for operand in keys {
            let instruction = instructions[Int(operands[operand])]
            if case .key = instruction.kind {
                try state.step(at: place)
                let value = try value(at: paths[Int(instruction.first)], of: steps, place, data, &state)
                note(constants[Int(instruction.second)], value)
                continue
            }
            let key = try value(Int(operands[operand]), data, &state)
            if key.kind == .array {
                try forEachElement(key, place, &state) { key, state throws(LogicFailure) in
                    note(key, try value(at: dotted(key, place, &state), place, data, &state))
                }
            } else {
                note(key, try value(at: dotted(key, place, &state), place, data, &state))
            }
        }
        return (try state.array(missing, at: place), found)
    }

    /// The value at a path whose steps were computed.
    private func value(
        at names: [String], level: Int = 0, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        try state.step(LogicState.computedPath + LogicState.computedName * names.count, at: place)
        var steps = JSONSteps()
        for name in names { steps.append(name) }
        return try value(at: Path(level: level, range: 0..<names.count), of: steps, place, data, &state)
    }

    /// The steps of the path that a value is written as; null and the empty string are the whole.
    private func dotted(
        _ value: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> [String] {
        guard value.kind != .null else { return [] }
        let text = try text(of: value, place, &state)
        try state.step(text.utf8.count { $0 == UInt8(ascii: ".") }, at: place)
        return LogicCode.split(text)
    }

    private func text(of step: LogicValue, _ place: Int, _ state: inout LogicState) throws(LogicFailure) -> String {
        guard step.kind == .string || step.kind == .number else { throw LogicFailure(.notPath(step.kind), at: place) }
        try state.read(step.readLength, at: place)
        var bytes: [UInt8] = []
        _ = step.appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LogicValue {
    /// Whether `missing` takes the value for none.
    fileprivate var isBlank: Bool {
        kind == .null || kind == .string && !isTruthy
    }
}
