import JSONValues

extension LogicCompiler {
    /// Compiles `missing`, whose keys are paths as those of `var`.
    mutating func compileMissing(
        _ call: LogicCall, _ arguments: [JSONNode], depth: Int, after first: [Int] = []
    ) throws(LogicError) -> Int {
        var operands = first
        for argument in arguments {
            operands.append(try compileKey(argument, call, depth: depth))
        }
        return code.add(.apply(call.symbol), operands, spreads: call.spreads, call.source)
    }

    private mutating func compileKey(_ node: JSONNode, _ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        guard node.kind == .string || node.kind == .number else {
            // Which keys come of it is seen at evaluation.
            noteReads([], level: 0)
            return try compile(node, depth: depth + 1)
        }
        try count(node)
        let keys = try literalPath(node, of: call) ?? []
        noteReads(keys, level: 0)
        let path = code.add(path: keys, level: 0)
        code.constants.append(.json(node))
        return code.add(
            LogicCode.Instruction(
                kind: .key, first: Int32(path), second: Int32(code.constants.count - 1)),
            node)
    }

    /// Compiles `missing_some`: how many are needed, and the keys.
    mutating func compileMissingSome(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        let need = try compile(call.arguments[0], depth: depth + 1)
        let keys = call.arguments[1]
        let listed = keys.kind == .array ? Array(keys.elements) : [keys]
        return try compileMissing(call, listed, depth: depth, after: [need])
    }
}
