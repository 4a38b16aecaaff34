import JSONValues

extension LogicCompiler {
    /// Compiles `var`: a path whose steps are separated by points, and a default.
    mutating func compileVariable(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        var operands: [Int] = []
        var keys: [String]? = []
        if let path = call.arguments.first {
            keys = try literalPath(path, of: call)
            if keys == nil { operands.append(try compile(path, depth: depth + 1)) }
        }
        let fallback = try call.arguments.dropFirst().first.map { node throws(LogicError) in
            try compile(node, depth: depth + 1)
        }
        guard let keys else {
            noteReads([], level: 0)
            return code.add(.apply(.variable), operands + (fallback.map { [$0] } ?? []), call.source)
        }
        return add(.path, keys, level: 0, fallback: fallback, call.source)
    }

    /// The steps of a path that is written out; nil for one that is computed.
    func literalPath(_ node: JSONNode, of call: LogicCall) throws(LogicError) -> [String]? {
        switch node.kind {
        case .null: return []
        case .number, .string:
            let path = node.scalarText ?? ""
            return LogicCode.split(path)
        case .object:
            if node.members.contains(where: { _ in true }) { return nil }
        case .bool, .array: break
        }
        throw LogicError(
            .unsuitableLiteral(call.symbol.rawValue, node.kind, expected: "a path"), at: node)
    }

    /// Compiles `val` and `exists`: steps one by one, and possibly a level before them.
    mutating func compileValue(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        var keys: [String] = []
        var arguments = call.arguments[...]
        // One null by itself is the whole, as for `var`.
        if arguments.count == 1, arguments[0].isNull { arguments = [] }
        let level = arguments.first.flatMap(LogicCompiler.literalLevel)
        if level != nil { arguments = arguments.dropFirst() }
        while let argument = arguments.first, argument.kind == .string || argument.kind == .number {
            keys.append(argument.scalarText ?? "")
            arguments = arguments.dropFirst()
        }
        if arguments.isEmpty {
            return add(
                call.symbol == .exists ? .pathExists : .path, keys, level: level ?? 0, fallback: nil, call.source)
        }
        // A computed first step may turn out to be a level.
        if keys.isEmpty, level == nil { noteReads([], level: scopes * 2) }
        noteReads(keys, level: level ?? 0)
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
        return code.add(.apply(call.symbol), operands, call.source)
    }

    /// The level that is written as an array of one whole number; its sign does not matter.
    private static func literalLevel(_ node: JSONNode) -> Int? {
        LogicCode.level(.json(node))
    }

    private mutating func add(
        _ kind: LogicCode.Kind, _ keys: [String], level: Int, fallback: Int?, _ source: JSONNode
    ) -> Int {
        noteReads(keys, level: level)
        let path = code.add(path: keys, level: level)
        if let fallback { code.operands.append(Int32(fallback)) }
        return code.add(
            LogicCode.Instruction(
                kind: kind, first: Int32(path), count: fallback == nil ? 0 : 1,
                second: Int32(code.operands.count - 1)),
            source)
    }

    /// Notes the part of the data that a path reads: none if the path begins at an element of an iteration, whose list
    /// is noted as a whole.
    mutating func noteReads(_ keys: [String], level: Int) {
        guard level == scopes * 2 else { return }
        reads.insert(Array(keys.prefix(LogicReads.longestPath)))
    }
}

extension LogicCode {
    /// The steps of a path that are separated by points, as `var` has it; none for the empty path.
    static func split(_ path: String) -> [String] {
        guard !path.isEmpty else { return [] }
        return path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
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
}
