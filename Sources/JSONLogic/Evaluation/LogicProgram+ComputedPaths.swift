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

    /// `val` and `exists` with a path that is computed: its steps as arguments, or as the array that the only one gives.
    func computedValue(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        var steps: [LogicValue] = []
        for operand in instruction.operands { steps.append(try value(Int(operands[operand]), data, &state)) }
        if steps.count == 1, steps[0].kind == .array, LogicProgram.level(steps[0]) == nil {
            let list = steps.removeLast()
            try forEachElement(list, place, &state) { element, _ throws(LogicFailure) in steps.append(element) }
        }
        var path = Path(keys: [])
        if steps.count == 1, steps[0].kind == .null { steps = [] }
        for (position, step) in steps.enumerated() {
            if position == 0, let level = LogicProgram.level(step) {
                path.level = level
            } else {
                path.keys.append(LogicKey(try text(of: step, place, &state)))
            }
        }
        return try value(at: path, place, data, &state)
    }

    /// The level that an array of one whole number stands for; its sign does not matter.
    static func level(_ value: LogicValue) -> Int? {
        let first: LogicValue?
        switch value {
        case .array(let array): first = array.elements.count == 1 ? array.elements[0] : nil
        case .json(let node):
            var elements = node.elements.makeIterator()
            let element = elements.next()
            first = elements.next() == nil ? element.map { .json($0) } : nil
        default: first = nil
        }
        return first?.int.map { Int(clamping: $0.magnitude) }
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
        func look(_ key: LogicValue, _ path: Path, _ state: inout LogicState) throws(LogicFailure) {
            let value = try value(at: path, place, data, &state)
            if value?.isBlank ?? true { missing.append(key) } else { found += 1 }
        }
        for operand in keys {
            let instruction = instructions[Int(operands[operand])]
            if case .key = instruction.code {
                try state.step(at: place)
                try look(constants[Int(instruction.second)], paths[Int(instruction.first)], &state)
                continue
            }
            let key = try value(Int(operands[operand]), data, &state)
            if key.kind == .array {
                try forEachElement(key, place, &state) { key, state throws(LogicFailure) in
                    try look(key, dotted(key, place, &state), &state)
                }
            } else {
                try look(key, dotted(key, place, &state), &state)
            }
        }
        return (try state.array(missing, at: place), found)
    }

    /// The path that a value is written as, its steps separated by points; null and the empty string are the whole.
    private func dotted(_ value: LogicValue, _ place: Int, _ state: inout LogicState) throws(LogicFailure) -> Path {
        guard value.kind != .null else { return Path(keys: []) }
        let text = try text(of: value, place, &state)
        return Path(keys: text.isEmpty ? [] : LogicKey.split(text))
    }

    private func text(of step: LogicValue, _ place: Int, _ state: inout LogicState) throws(LogicFailure) -> String {
        guard step.kind == .string || step.kind == .number else { throw LogicFailure(.notPath(step.kind), at: place) }
        try state.read(step.size, at: place)
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
