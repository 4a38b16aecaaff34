import JSONValues

/// A compiled expression as it is evaluated: one reference, since it is handed on from instruction to instruction.
final class LogicProgram: Sendable {
    typealias Instruction = LogicCode.Instruction
    typealias Path = LogicCode.Path

    let instructions: [Instruction]
    let operands: [Int32]
    let constants: [LogicValue]
    let paths: [Path]
    let steps: JSONSteps
    let sources: [JSONNode]
    let root: Int

    init(_ code: LogicCode) {
        instructions = code.instructions
        operands = code.operands
        constants = code.constants
        paths = code.paths
        steps = code.steps
        sources = code.sources
        root = code.root
    }
}
