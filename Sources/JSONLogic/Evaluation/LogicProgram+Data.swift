import JSONValues

extension LogicProgram {
    /// The value at an instruction's path, else that of its default, or null.
    func value(
        ofPath instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        try state.step(at: place)
        let path = paths[Int(instruction.first)]
        if path.level == 0, state.scopes.isEmpty, let first = path.range.first,
            let member = data.names.place(of: first, in: steps)
        {
            // The usual cases, a member of a document and a member of an object, without a copy of what is around it.
            let rest = first + 1..<path.range.upperBound
            switch data.values[member] {
            case .json(var node):
                var passed = 0
                let isThere = node.descend(rest, of: steps, passed: &passed)
                try state.pass(passed, at: place)
                if isThere { return .json(node) }
            case .object(let object) where rest.count == 1:
                if let value = object.value(at: rest.lowerBound, of: steps) { return value }
            case let value:
                if let value = try descend(value, rest, of: steps, place, &state) { return value }
            }
        } else if let value = try value(at: path, of: steps, place, data, &state) {
            return value
        }
        return instruction.count > 0 ? try value(Int(operands[Int(instruction.second)]), data, &state) : .null
    }

    /// The value at a path; nil where there is none.
    func value(
        at path: Path, of steps: JSONSteps, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        guard path.level == 0, state.scopes.isEmpty else {
            return try scopedValue(at: path, of: steps, place, data, &state)
        }
        return try value(at: path.range, of: steps, inWhole: data, place, &state)
    }

    /// The value at a path that begins at the whole data.
    private func value(
        at range: Range<Int>, of steps: JSONSteps, inWhole data: LogicData, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        guard let first = range.first else {
            if !data.isOneValue { try state.step(LogicState.whole + data.values.count, at: place) }
            return data.whole
        }
        if data.isOneValue { return try descend(data.values[0], range, of: steps, place, &state) }
        guard let member = data.names.place(of: first, in: steps) else { return nil }
        return try descend(data.values[member], first + 1..<range.upperBound, of: steps, place, &state)
    }

    /// The value at a path that begins in an iteration.
    ///
    /// An even level is the element of an iteration around or, above them all, the whole data; an odd one is an object
    /// with the position, `index`.
    private func scopedValue(
        at path: Path, of steps: JSONSteps, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        let scope = state.scopes.count - 1 - path.level / 2
        if path.level % 2 != 0 {
            guard scope >= 0 else { return nil }
            let position = LogicValue.integer(state.scopes[scope].position)
            guard let first = path.range.first else {
                return .object(LogicObject(names: .iteration, values: [position]))
            }
            return path.range.count == 1 && LogicNames.iteration.place(of: first, in: steps) != nil ? position : nil
        }
        if scope >= 0 { return try descend(state.scopes[scope].item, path.range, of: steps, place, &state) }
        return scope == -1 ? try value(at: path.range, of: steps, inWhole: data, place, &state) : nil
    }

    /// Goes from a value inwards.
    private func descend(
        _ start: consuming LogicValue, _ range: Range<Int>, of steps: JSONSteps, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        var step = range.lowerBound
        while step < range.upperBound {
            switch start {
            case .json(var node):
                var passed = 0
                let isThere = node.descend(step..<range.upperBound, of: steps, passed: &passed)
                try state.pass(passed, at: place)
                return isThere ? .json(node) : nil
            case .object(let object):
                guard let member = object.names.place(of: step, in: steps) else { return nil }
                start = object.values[member]
            case .array(let array):
                let position = steps.steps[step].position
                guard array.elements.indices.contains(position) else { return nil }
                start = array.elements[position]
            case .null, .bool, .integer, .number, .utf8: return nil
            }
            step += 1
        }
        return start
    }
}
