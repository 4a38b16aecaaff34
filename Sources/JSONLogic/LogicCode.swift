import JSONValues

/// A compiled expression: instructions that refer to each other by index, so that evaluation touches no reference
/// counts.
struct LogicCode: Sendable {
    /// The action of an instruction on its operands.
    enum Kind: Sendable {
        /// Gives the constant at `first`.
        case constant
        /// Makes an array of the operands' values.
        case list
        /// Reads the path at `first` (`var` and `val`); the only operand, if any, is the default.
        case path
        /// Tells whether there is something at the path at `first` (`exists`).
        case pathExists
        /// Is a key that `missing` looks for: the path at `first`, the constant at `second`.
        case key
        /// Applies an operator to the operands.
        case apply(LogicOperator)
    }

    /// One instruction.
    struct Instruction: Sendable {
        var kind: Kind
        /// The index of its first operand in `operands`; for constants and paths the index of the constant or the path.
        var first: Int32
        /// How many operands there are.
        var count: Int32 = 0
        /// For a path with a default where that is in `operands`; for a key the place of its constant.
        var second: Int32 = 0
        /// Whether the only operand's value, where it is an array, holds the arguments.
        var spreads = false

        /// The operands' places in `operands`.
        var operands: Range<Int> {
            Int(first)..<Int(first) + Int(count)
        }
    }

    /// A path whose steps are known.
    struct Path: Sendable {
        /// How far to climb before the first step, as `val` counts: an element is two levels below what is around it.
        var level = 0
        /// The steps, places in `steps`.
        var range: Range<Int>
    }

    /// The instructions, each behind those that it refers to.
    var instructions: [Instruction] = []
    var operands: [Int32] = []
    var constants: [LogicValue] = []
    var paths: [Path] = []
    var steps = JSONSteps()
    /// For each instruction the part of the expression that an error points to.
    var sources: [JSONNode] = []
    /// The last instruction of the whole expression.
    var root = 0

    /// Adds an instruction and gives its place.
    mutating func add(_ instruction: Instruction, _ source: JSONNode) -> Int {
        instructions.append(instruction)
        sources.append(source)
        return instructions.count - 1
    }

    /// Adds an instruction with operands.
    mutating func add(
        _ kind: Kind, _ operands: [Int], spreads: Bool = false, _ source: JSONNode
    ) -> Int {
        let first = Int32(self.operands.count)
        self.operands += operands.map { Int32($0) }
        return add(
            Instruction(kind: kind, first: first, count: Int32(operands.count), spreads: spreads), source)
    }

    /// Adds a constant.
    mutating func add(constant: LogicValue, _ source: JSONNode) -> Int {
        constants.append(constant)
        return add(Instruction(kind: .constant, first: Int32(constants.count - 1)), source)
    }

    /// Whether an instruction gives a constant.
    func isConstant(_ place: Int) -> Bool {
        if case .constant = instructions[place].kind { true } else { false }
    }

    /// How much there is, to take back what is added from here on.
    var mark: Mark {
        Mark(instructions: instructions.count, operands: operands.count, constants: constants.count)
    }

    /// Takes back the instructions from a mark on with what they refer to, to put a constant in their stead.
    mutating func remove(from mark: Mark) {
        instructions.removeSubrange(mark.instructions...)
        sources.removeSubrange(mark.instructions...)
        operands.removeSubrange(mark.operands...)
        constants.removeSubrange(mark.constants...)
    }

    /// What ``mark`` notes.
    struct Mark {
        fileprivate let instructions: Int
        fileprivate let operands: Int
        fileprivate let constants: Int
    }

    /// Adds a path and gives its place.
    mutating func add(path names: [String], level: Int) -> Int {
        let start = steps.steps.count
        for name in names { steps.append(name) }
        paths.append(Path(level: level, range: start..<steps.steps.count))
        return paths.count - 1
    }
}
