import JSONValues

/// The first condition of an expression, where it compares a path of the data with another value for equality.
///
/// The expression is not true unless this condition holds, and nothing else of the expression is evaluated before it.
/// So data for which the condition is false, and does not fail, need not be evaluated.
package struct LogicEquality: Sendable {
    /// The names of the compared path, from the whole data inwards.
    package let path: [String]
    /// Whether the comparison is `===`.
    package let isStrict: Bool
    /// The names of the path to the other value; nil where that is a constant.
    package let otherPath: [String]?

    private let program: LogicProgram
    private let other: Int

    /// The other value.
    ///
    /// - Parameter data: Data that have what is at the other path.
    /// - Returns: Nil where the value cannot be read.
    package func other(in data: LogicData) -> LogicValue? {
        var state = LogicState(LogicLimits(), isBounded: true)
        return try? program.value(other, data, &state)
    }

    /// Finds the condition in a program; the path is the operand whose first name is the given one.
    fileprivate init?(_ program: LogicProgram, comparing name: String) {
        var place = program.root
        while case .apply(.and) = program.instructions[place].kind, let first = program.operands(of: place).first {
            place = first
        }
        guard case .apply(let symbol) = program.instructions[place].kind, symbol == .equal || symbol == .strictEqual
        else { return nil }
        let operands = program.operands(of: place)
        guard operands.count == 2 else { return nil }
        for (one, other) in [(operands[0], operands[1]), (operands[1], operands[0])] {
            guard let path = program.plainPath(of: one), path.first?.isVerbatim(name) == true else { continue }
            let otherPath = program.plainPath(of: other)
            guard otherPath != nil || program.isConstant(other) else { return nil }
            (self.path, self.otherPath, self.program, self.other) = (path, otherPath, program, other)
            isStrict = symbol == .strictEqual
            return
        }
        return nil
    }
}

extension LogicExpression {
    /// The first condition, where it compares a path that begins with a name.
    ///
    /// - Complexity: O(*d*) in the depth of nested `and`.
    package func firstEquality(comparing name: String) -> LogicEquality? {
        LogicEquality(program, comparing: name)
    }
}

extension LogicProgram {
    /// The places of an instruction's operands; none where a single array may hold the arguments.
    fileprivate func operands(of place: Int) -> [Int] {
        let instruction = instructions[place]
        return instruction.spreads ? [] : operands[instruction.operands].map { Int($0) }
    }

    fileprivate func isConstant(_ place: Int) -> Bool {
        if case .constant = instructions[place].kind { true } else { false }
    }

    /// The names of a path into the whole data without a default; nil for another instruction.
    fileprivate func plainPath(of place: Int) -> [String]? {
        let instruction = instructions[place]
        guard case .path = instruction.kind, instruction.count == 0 else { return nil }
        let path = paths[Int(instruction.first)]
        return path.level == 0 ? path.range.map { steps.name(at: $0) } : nil
    }
}
