import JSONValues

/// What changes in the course of one evaluation.
struct LogicState {
    private let limits: LogicLimits
    private var stepsLeft: Int
    private var sizeLeft: Int

    /// An iteration that is under way.
    struct Scope {
        /// What the body is evaluated on.
        var item: LogicValue
        /// The position of the element.
        var position: Int
    }

    /// The iterations around, the outermost first.
    var scopes: [Scope] = []

    /// - Parameter isBounded: False for an evaluation that was within its limits once, whatever a step was then.
    init(_ limits: LogicLimits, isBounded: Bool = true) {
        var limits = limits
        if !isBounded { (limits.steps, limits.size) = (.max, .max) }
        self.limits = limits
        stepsLeft = limits.steps
        sizeLeft = limits.size
    }

    /// How many steps have been taken.
    var stepsTaken: Int { limits.steps - stepsLeft }

    /// Counts steps.
    mutating func step(_ count: Int = 1, at place: Int) throws(LogicFailure) {
        stepsLeft -= count
        if stepsLeft < 0 { throw LogicFailure(.tooManySteps(limit: limits.steps), at: place) }
    }

    /// Counts the reading of a text.
    mutating func read(_ bytes: Int, at place: Int) throws(LogicFailure) {
        if bytes >= 64 { try step(bytes >> 6, at: place) }
    }

    /// Counts the comparison of arrays or objects by what they hold: their texts are read as documents, and their members
    /// are looked up in each other.
    mutating func compare(_ bytes: Int, at place: Int) throws(LogicFailure) {
        if bytes >= 16 { try step(bytes >> 4, at: place) }
    }

    /// Counts an operation with its operands: constants among them are no steps of their own.
    mutating func apply(_ operands: Int32, at place: Int) throws(LogicFailure) {
        try step(1 + Int(operands >> 3), at: place)
    }

    /// Counts what was looked at on a path; see `JSONNode.descend(_:of:passed:)`.
    mutating func pass(_ count: Int, at place: Int) throws(LogicFailure) {
        if count >= 16 { try step(count >> 4, at: place) }
    }

    /// Counts what is built, before it is.
    mutating func build(_ bytes: Int, at place: Int) throws(LogicFailure) {
        sizeLeft -= bytes
        if sizeLeft < 0 { throw LogicFailure(.tooLarge(limit: limits.size), at: place) }
    }

    /// Makes an array; its elements count in full, the arrays among them once more.
    mutating func array(_ elements: [LogicValue], at place: Int) throws(LogicFailure) -> LogicValue {
        let array = LogicArray(elements)
        try build(array.size, at: place)
        try check(depth: array.depth, at: place)
        return .array(array)
    }

    /// Refuses what is nested too deep to be released or written by recursion.
    func check(depth: Int, at place: Int) throws(LogicFailure) {
        if depth > LogicLimits.builtDepth { throw LogicFailure(.tooDeep(limit: LogicLimits.builtDepth), at: place) }
    }

    /// Makes what `reduce` evaluates its body on, which an expression can keep and so has to be within the limits too.
    func reduction(
        current: LogicValue, accumulator: LogicValue, at place: Int
    ) throws(LogicFailure) -> LogicValue {
        let object = LogicObject(names: .reduction, values: [current, accumulator])
        try check(depth: object.depth, at: place)
        if accumulator.depth > 0, accumulator.size > limits.size {
            throw LogicFailure(.tooLarge(limit: limits.size), at: place)
        }
        return .object(object)
    }
}
