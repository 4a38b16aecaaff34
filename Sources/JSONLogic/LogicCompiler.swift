import JSONValues

/// Reads an expression into a code.
struct LogicCompiler {
    let limits: LogicLimits
    var code = LogicCode()
    /// The paths from the whole data that are read.
    var reads: Set<[String]> = []
    /// How many iterations surround what is being read.
    var scopes = 0
    private var nodes = 0

    init(limits: LogicLimits) {
        self.limits = limits
    }

    /// Reads the whole expression.
    mutating func compile(_ node: JSONNode) throws(LogicError) {
        code.root = try compile(node, depth: 1)
    }

    /// Reads a part of the expression and gives its place.
    ///
    /// An object with exactly one member is an operation, and an array is a list of parts. Every other value is a
    /// literal, other objects included.
    mutating func compile(_ node: JSONNode, depth: Int) throws(LogicError) -> Int {
        try count(node)
        switch node.kind {
        case .array:
            guard depth <= limits.depth else { throw LogicError(.tooDeep(limit: limits.depth), at: node) }
            return try compileList(node, depth: depth)
        case .object:
            var members = node.members.makeIterator()
            guard let member = members.next(), members.next() == nil else { break }
            guard depth <= limits.depth else { throw LogicError(.tooDeep(limit: limits.depth), at: node) }
            return try compileOperation(member, depth: depth)
        default: break
        }
        return code.add(constant: LogicValue(literal: node), node)
    }

    mutating func count(_ node: JSONNode) throws(LogicError) {
        nodes += 1
        guard nodes <= limits.nodes else { throw LogicError(.tooLarge(limit: limits.nodes), at: node) }
    }

    private mutating func compileList(_ node: JSONNode, depth: Int) throws(LogicError) -> Int {
        let mark = code.mark
        var operands: [Int] = []
        for element in node.elements { operands.append(try compile(element, depth: depth + 1)) }
        guard operands.allSatisfy(code.isConstant) else { return code.add(.list, operands, node) }
        code.remove(from: mark)
        return code.add(constant: .json(node), node)
    }

    private mutating func compileOperation(_ member: JSONNode.Member, depth: Int) throws(LogicError) -> Int {
        let name = member.name
        guard let symbol = LogicOperator(rawValue: name) else {
            let nearest = LogicOperator.nearest(to: name)?.rawValue
            throw LogicError(.unknownOperator(name, nearest: nearest), at: member.value)
        }
        let call = LogicCall(symbol, member.value)
        try call.check()
        switch symbol {
        case .variable: return try compileVariable(call, depth: depth)
        case .value, .exists: return try compileValue(call, depth: depth)
        case .missing: return try compileMissing(call, call.arguments, depth: depth)
        case .missingSome: return try compileMissingSome(call, depth: depth)
        default: break
        }
        return try symbol.iterates ? compileIteration(call, depth: depth) : compileArguments(call, depth: depth)
    }

    private mutating func compileArguments(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        let mark = code.mark
        var operands: [Int] = []
        for argument in call.arguments { operands.append(try compile(argument, depth: depth + 1)) }
        let isConstant = call.symbol.folds && operands.allSatisfy(code.isConstant)
        let place = code.add(.apply(call.symbol), operands, spreads: call.spreads, call.source)
        // An operation on literals that fails has to fail when it is evaluated, if it is at all.
        guard isConstant, let value = code.constantValue(of: place) else { return place }
        code.remove(from: mark)
        return code.add(constant: value, call.source)
    }

    private mutating func compileIteration(_ call: LogicCall, depth: Int) throws(LogicError) -> Int {
        let arguments = call.arguments
        let list = try compile(arguments[0], depth: depth + 1)
        scopes += 1
        let body = try compile(arguments[1], depth: depth + 1)
        scopes -= 1
        var operands = [list, body]
        if arguments.count > 2 { operands.append(try compile(arguments[2], depth: depth + 1)) }
        return code.add(.apply(call.symbol), operands, call.source)
    }
}

/// An operation as it is written.
struct LogicCall {
    let symbol: LogicOperator
    /// The arguments as they are written: an array of them, or one alone.
    let source: JSONNode
    let arguments: [JSONNode]

    init(_ symbol: LogicOperator, _ source: JSONNode) {
        self.symbol = symbol
        self.source = source
        arguments = source.kind == .array ? Array(source.elements) : [source]
    }

    /// Whether the arguments are written as an array.
    var isListed: Bool {
        source.kind == .array
    }

    /// Whether the only argument may give all the arguments when it is evaluated.
    var spreads: Bool {
        !isListed && symbol.spreads
    }

    /// Refuses arguments that can never do.
    func check() throws(LogicError) {
        let name = symbol.rawValue
        if !isListed, symbol.needsList { throw LogicError(.argumentsNotListed(name), at: source) }
        let isOperation = source.kind == .object && source.members.contains { _ in true }
        if !symbol.arity.contains(arguments.count), !(spreads && isOperation) {
            throw LogicError(
                .argumentCount(name, expected: symbol.expectedArguments, found: arguments.count), at: source)
        }
        guard symbol.iterates else { return }
        // A literal null is taken as one that is computed: for some operators it is a list without elements.
        if arguments[0].isNull, !symbol.takesNothing {
            throw LogicError(.unsuitableLiteral(name, .null, expected: "an array"), at: arguments[0])
        }
    }
}
