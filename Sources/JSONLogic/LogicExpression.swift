import JSONValues

/// A JsonLogic expression, read once and evaluated often.
package final class LogicExpression: Sendable {
    /// The expression as it was written.
    package let source: JSONValue

    /// The parts of the data that it may read.
    package let reads: LogicReads

    private let limits: LogicLimits
    let program: LogicProgram

    /// Reads an expression.
    ///
    /// An object with exactly one member is an operation; every other value stands for itself, arrays with the values of
    /// the operations inside them.
    ///
    /// - Complexity: O(*n*) in the length of its text.
    /// - Throws: What is wrong with it, and where.
    package init(_ node: JSONNode, limits: LogicLimits = LogicLimits()) throws(LogicError) {
        source = node.value
        self.limits = limits
        var compiler = LogicCompiler(limits: limits)
        try compiler.compile(source.document.root)
        program = LogicProgram(compiler.code)
        reads = LogicReads(compiler.reads)
    }

    /// Evaluates the expression; nothing is changed by that, and the same data give the same value.
    ///
    /// - Complexity: O(*s*) in the number of steps, which ``LogicLimits/steps`` limits.
    /// - Throws: Why there is no value, and which part of the expression has none.
    package func evaluate(_ data: LogicData) throws(LogicEvaluationError) -> LogicValue {
        var steps = 0
        return try evaluate(data, addingSteps: &steps)
    }

    /// Evaluates the expression as `evaluate(_:)` does, and adds the steps that it took to a sum; of an evaluation that
    /// fails nothing is added.
    ///
    /// - Parameter isBounded: False for an evaluation that was within its limits once, in an earlier program: what counts
    ///   as a step may have changed since.
    package func evaluate(
        _ data: LogicData, addingSteps steps: inout Int, isBounded: Bool = true
    ) throws(LogicEvaluationError) -> LogicValue {
        var state = LogicState(limits, isBounded: isBounded)
        do {
            let value = try program.value(program.root, data, &state)
            steps += state.stepsTaken
            return value
        } catch {
            throw explain(error)
        }
    }

    /// Evaluates the expression and tells whether its value is taken for true (`!!`).
    ///
    /// - Complexity: O(*s*) in the number of steps, which ``LogicLimits/steps`` limits.
    /// - Throws: Why there is no value, and which part of the expression has none.
    package func holds(_ data: LogicData) throws(LogicEvaluationError) -> Bool {
        var steps = 0
        return try holds(data, addingSteps: &steps)
    }

    /// Tells as `holds(_:)` does, and adds the steps that it took to a sum; of an evaluation that fails nothing is added.
    package func holds(
        _ data: LogicData, addingSteps steps: inout Int, isBounded: Bool = true
    ) throws(LogicEvaluationError) -> Bool {
        var state = LogicState(limits, isBounded: isBounded)
        do {
            let holds = try program.truth(program.root, data, &state)
            steps += state.stepsTaken
            return holds
        } catch {
            throw explain(error)
        }
    }

    private func explain(_ failure: LogicFailure) -> LogicEvaluationError {
        let pointer = program.sources[failure.place].pointer.description
        return LogicEvaluationError(reason: failure.reason, pointer: JSONPointer.bounded(pointer))
    }
}

extension LogicExpression: Hashable {
    /// Compares what was written, as JSON values, and the limits.
    package static func == (left: LogicExpression, right: LogicExpression) -> Bool {
        left.source == right.source && left.limits == right.limits
    }

    /// Feeds the source.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(source)
    }
}

extension LogicCode {
    /// The value of an operation on literals; nil where it fails, or is not worth keeping.
    ///
    /// - Complexity: O(1), since only few steps are taken.
    func constantValue(of place: Int) -> LogicValue? {
        var state = LogicState(LogicLimits(steps: 100, size: 1 << 10))
        return try? LogicProgram(self).value(place, LogicData(.null), &state)
    }
}

extension LogicValue {
    /// Takes a literal; truth values and numbers are read now rather than in each evaluation.
    init(literal node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .bool: self = .bool(node.bool == true)
        case .string: self = .utf8(Array(node.utf8 ?? []))
        case .number:
            self = LogicNumber(.json(node))?.value ?? .json(node)
            // A literal that is merely given back keeps its digits.
            var written: [UInt8] = []
            append(to: &written)
            if written[...] != node.text { self = .json(node) }
        case .array, .object: self = .json(node)
        }
    }
}
