import JSONValues

extension LogicCompiler {
    /// Compiles `var`: a path whose steps are separated by points, and a default.
    mutating func compileVariable(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        var operands: [Int] = []
        var keys: [LogicKey]? = []
        if let path = call.arguments.first {
            keys = try literalPath(path, of: call)
            if keys == nil { operands.append(try compile(path, depth: depth + 1)) }
        }
        let fallback = try call.arguments.dropFirst().first.map { node throws(LogicError) in
            try compile(node, depth: depth + 1)
        }
        guard let keys else {
            noteReads(LogicProgram.Path(keys: []))
            return program.add(.apply(.variable), operands + (fallback.map { [$0] } ?? []), call.source)
        }
        return add(.path, LogicProgram.Path(keys: keys), fallback: fallback, call.source)
    }

    /// The steps of a path that is written out; nil for one that is computed.
    private func literalPath(_ node: JSONNode, of call: LogicCall) throws(LogicError) -> [LogicKey]? {
        switch node.kind {
        case .null: return []
        case .number, .string:
            let path = node.scalarText ?? ""
            return path.isEmpty ? [] : LogicKey.split(path)
        case .object:
            if node.members.contains(where: { _ in true }) { return nil }
        case .bool, .array: break
        }
        throw LogicError(
            .unsuitableLiteral(call.symbol.rawValue, node.kind, expected: "a path"), at: node)
    }

    /// Compiles `val` and `exists`: steps one by one, and possibly a level before them.
    mutating func compileValue(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        var path = LogicProgram.Path(keys: [])
        var arguments = call.arguments[...]
        // One null by itself is the whole, as for `var`.
        if arguments.count == 1, arguments[0].isNull { arguments = [] }
        let level = arguments.first.flatMap(LogicCompiler.literalLevel)
        if let level {
            path.level = level
            arguments = arguments.dropFirst()
        }
        while let argument = arguments.first, argument.kind == .string || argument.kind == .number {
            path.keys.append(LogicKey(argument.scalarText ?? ""))
            arguments = arguments.dropFirst()
        }
        if arguments.isEmpty {
            return add(call.symbol == .exists ? .pathExists : .path, path, fallback: nil, call.source)
        }
        // A computed first step may turn out to be a level.
        if path.keys.isEmpty, level == nil { noteReads(LogicProgram.Path(level: scopes * 2, keys: [])) }
        noteReads(path)
        return try compileComputedValue(call, depth: depth)
    }

    private mutating func compileComputedValue(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        var operands: [Int] = []
        for (position, argument) in call.arguments.enumerated() {
            let isLevel = position == 0 && LogicCompiler.literalLevel(argument) != nil
            let isOperation = argument.kind == .object && argument.members.contains { _ in true }
            guard isLevel || isOperation || argument.kind == .string || argument.kind == .number else {
                throw LogicError(
                    .unsuitableLiteral(call.symbol.rawValue, argument.kind, expected: "a step of a path"),
                    at: argument)
            }
            operands.append(try compile(argument, depth: depth + 1))
        }
        return program.add(.apply(call.symbol), operands, call.source)
    }

    /// The level that is written as an array of one whole number; its sign does not matter.
    private static func literalLevel(_ node: JSONNode) -> Int? {
        LogicProgram.level(.json(node))
    }

    /// Compiles `missing`, whose keys are paths as those of `var`.
    mutating func compileMissing(
        _ call: LogicCall, _ arguments: [JSONNode], depth: Int, after first: [Int] = []
    ) throws(LogicError) -> Int {
        var operands = first
        for argument in arguments {
            operands.append(try compileKey(argument, call, depth: depth))
        }
        return program.add(.apply(call.symbol), operands, spreads: call.spreads, call.source)
    }

    private mutating func compileKey(_ node: JSONNode, _ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        guard node.kind == .string || node.kind == .number else {
            // Which keys come of it is seen at evaluation.
            noteReads(LogicProgram.Path(keys: []))
            return try compile(node, depth: depth + 1)
        }
        try count(node)
        let path = LogicProgram.Path(keys: try literalPath(node, of: call) ?? [])
        noteReads(path)
        program.paths.append(path)
        program.constants.append(.json(node))
        return program.add(
            LogicProgram.Instruction(
                code: .key, first: Int32(program.paths.count - 1), second: Int32(program.constants.count - 1)),
            node)
    }

    /// Compiles `missing_some`: how many are needed, and the keys.
    mutating func compileMissingSome(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        let need = try compile(call.arguments[0], depth: depth + 1)
        let keys = call.arguments[1]
        let listed = keys.kind == .array ? Array(keys.elements) : [keys]
        return try compileMissing(call, listed, depth: depth, after: [need])
    }

    private mutating func add(
        _ code: LogicProgram.Code, _ path: LogicProgram.Path, fallback: Int?, _ source: JSONNode
    ) -> Int {
        noteReads(path)
        program.paths.append(path)
        if let fallback { program.operands.append(Int32(fallback)) }
        return program.add(
            LogicProgram.Instruction(
                code: code, first: Int32(program.paths.count - 1), count: fallback == nil ? 0 : 1,
                second: Int32(program.operands.count - 1)),
            source)
    }

    /// Notes what a path reads of the whole data: nothing where it begins at an element of an iteration, whose list was
    /// read as a whole.
    private mutating func noteReads(_ path: LogicProgram.Path) {
        guard path.level == scopes * 2 else { return }
        reads.insert(path.keys.prefix(LogicReads.longestPath).map(\.name))
    }
}
