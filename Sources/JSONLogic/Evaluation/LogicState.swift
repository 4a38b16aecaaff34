import JSONValues

/// The mutable state of one evaluation.
struct LogicState {
    private let limits: LogicLimits
    private var stepsLeft: Int
    private var sizeLeft: Int

    /// An iteration that is under way.
    struct Scope {
        /// The data of the body.
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
        try step(2 + bytes >> 3, at: place)
    }

    /// The steps of turning a number from one form into another, beside its digits.
    static let conversion = 10

    /// The steps of a path that is computed, and of each name of it: they are read, kept and looked up anew.
    static let computedPath = 8, computedName = 4

    /// The steps of taking a part of a text, beside its length.
    static let part = 2

    /// The steps of writing and reading a value that is compared, beside its text.
    static let building = 10

    /// The steps of making an object of what an expression is evaluated on.
    static let whole = 4

    /// Counts the reading of numbers that have many digits or a large exponent.
    mutating func convert(_ digits: Int, at place: Int) throws(LogicFailure) {
        if digits > 0 { try step(Self.conversion + digits >> 3, at: place) }
    }

    /// Counts the writing and reading of an array or object that was built, for a comparison.
    mutating func compare(built bytes: Int, at place: Int) throws(LogicFailure) {
        try step(Self.building + bytes >> 4, at: place)
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
    mutating func reduction(
        current: LogicValue, accumulator: LogicValue, at place: Int
    ) throws(LogicFailure) -> LogicValue {
        try step(Self.whole, at: place)
        let object = LogicObject(names: .reduction, values: [current, accumulator])
        try check(depth: object.depth, at: place)
        if accumulator.depth > 0, accumulator.size > limits.size {
            throw LogicFailure(.tooLarge(limit: limits.size), at: place)
        }
        return .object(object)
    }
}
