import JSONValues

extension LogicProgram {
    /// The value at a path; nil where there is none.
    func value(
        at path: Path, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        guard path.level == 0, state.items.isEmpty else { return try scopedValue(at: path, place, data, &state) }
        guard let first = path.keys.first else { return try whole(data, place, &state) }
        guard let names = data.names else { return try descend(data.values[0], path.keys[...], place, &state) }
        guard let member = names.position(of: first) else { return nil }
        return try descend(data.values[member], path.keys.dropFirst(), place, &state)
    }

    /// The value at a path that begins in an iteration.
    ///
    /// An even level is the element of an iteration around or, above them all, the whole data; an odd one is an object
    /// with the position, `index`.
    private func scopedValue(
        at path: Path, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        let above = path.level / 2
        let scope = state.items.count - 1 - above
        if path.level % 2 != 0 {
            guard scope >= 0 else { return nil }
            let iteration = LogicObject(names: .iteration, values: [.integer(state.positions[scope])])
            return try descend(.object(iteration), path.keys[...], place, &state)
        }
        if scope >= 0 { return try descend(state.items[scope], path.keys[...], place, &state) }
        guard scope == -1 else { return nil }
        guard let names = data.names else { return try descend(data.values[0], path.keys[...], place, &state) }
        guard let first = path.keys.first else { return try whole(data, place, &state) }
        return try names.position(of: first).flatMap { member throws(LogicFailure) in
            try descend(data.values[member], path.keys.dropFirst(), place, &state)
        }
    }

    private func whole(
        _ data: LogicData, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        try state.pass(data.values.count, at: place)
        return data.whole
    }

    /// Goes from a value inwards.
    private func descend(
        _ start: LogicValue, _ keys: ArraySlice<LogicKey>, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue? {
        var value = start
        for position in keys.indices {
            if case .json(let node) = value {
                return try descend(node, keys[position...], place, &state).map { .json($0) }
            }
            guard let next = value.child(keys[position]) else { return nil }
            value = next
        }
        return value
    }

    private func descend(
        _ start: JSONNode, _ keys: ArraySlice<LogicKey>, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> JSONNode? {
        var (node, passed) = (start, 0)
        for position in keys.indices {
            let next: JSONNode? =
                switch node.kind {
                case .object: node.member(named: keys[position].utf8, passed: &passed)
                case .array where keys[position].position >= 0:
                    node.element(at: keys[position].position, passed: &passed)
                default: nil
                }
            guard let next else {
                try state.pass(passed, at: place)
                return nil
            }
            node = next
        }
        try state.pass(passed, at: place)
        return node
    }
}

extension LogicValue {
    /// A member or element of what is no node.
    fileprivate func child(_ key: LogicKey) -> LogicValue? {
        switch self {
        case .object(let object): object[key]
        case .array(let array): array.elements.indices.contains(key.position) ? array.elements[key.position] : nil
        case .null, .bool, .integer, .number, .utf8, .json: nil
        }
    }
}
