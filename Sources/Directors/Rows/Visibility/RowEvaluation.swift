import HashTreeCollections
import JSONLogic
import JSONValues
import Notation

/// Why a row cannot be published: an expression of it has no value, or none that fits.
struct RowFailure: Error {
    /// The JSON pointer from the row to what is wrong.
    var pointer: String
    /// What is wrong.
    var detail: String
    /// The identifiers of the row and of its section, as far as they are known by then.
    var names: [String] = []

    /// Whether nothing is wrong, and evaluating takes longer than a turn on the loop.
    var isLongerThanTurn = false

    /// The failure as seen from further out.
    func inside(_ prefix: String, _ name: String) -> RowFailure {
        var failure = self
        failure.pointer = prefix + pointer
        failure.names.append(name)
        return failure
    }

    /// The failure as a reload tells it.
    var error: DirectorError {
        guard !isLongerThanTurn else { return DirectorError(.longerThanTurn) }
        let row = zip(["row", " of the section"], names).map { "\($0) \($1.quoted)" }.joined()
        let fault = Fault(pointer: pointer, detail: "the \(row) cannot be published: \(detail)")
        return DirectorError(.refused([fault]), pointer: pointer)
    }
}

/// The evaluation of rows in one reload: the variables, read when an expression asks for them, and what was spent.
struct RowEvaluation {
    private let variables: TreeDictionary<Name, JSONValue>
    private let stepLimit: Int
    private let turn: Int
    private var known: [Name: LogicValue] = [:]
    private var whole: LogicValue?

    /// Whether each expression has to keep to its limits. A start has none: it evaluates again what was published once, and
    /// an earlier program may have counted fewer steps for it.
    private var isBounded: Bool { stepLimit < .max }

    /// The steps that have been taken: those of the expressions, and what else takes about as long.
    private(set) var steps = 0

    /// The time in steps, of which a reload's bound knows nothing, of finding a row and keeping what an expression of it
    /// has given.
    private static let keeping = 64

    /// How many expressions have been evaluated.
    private(set) var count = 0

    /// - Parameters:
    ///   - variables: The director's variables.
    ///   - stepLimit: How many steps all expressions may take together.
    ///   - turn: How many steps fit into a turn on the loop.
    init(variables: TreeDictionary<Name, JSONValue>, stepLimit: Int, turn: Int) {
        self.variables = variables
        self.stepLimit = stepLimit
        self.turn = turn
    }

    /// The variables that an expression reads, as an object without missing ones.
    ///
    /// - Complexity: O(*v*) in the number of variables that it reads; all of them where it may read any. A variable is read
    ///   once in a reload.
    mutating func variables(for reads: RowReads) -> LogicValue {
        if reads.readsAnyVariable {
            if let whole { return whole }
            for (_, value) in variables { charge(reading: value.bytes.count) }
            let members = variables.lazy.map { ($0.key, LogicValue.json($0.value.document.root)) }
            let all = LogicValue.object(Dictionary(uniqueKeysWithValues: members))
            whole = all
            return all
        }
        var members: [Name: LogicValue] = [:]
        for name in reads.variables {
            guard let value = variables[name] else { continue }
            if known[name] == nil { charge(reading: value.bytes.count) }
            let read = known[name] ?? .json(value.document.root)
            known[name] = read
            members[name] = read
        }
        // Their names are put in order for each row.
        steps += 4 * members.count
        return .object(members)
    }

    /// Evaluates an expression.
    ///
    /// - Parameter pointer: The JSON pointer from the row to the expression.
    mutating func value(
        of expression: LogicExpression, on data: LogicData, pointer: String
    ) throws(RowFailure) -> LogicValue {
        let isBounded = isBounded
        return try counted(pointer) { steps throws(LogicEvaluationError) in
            try expression.evaluate(data, addingSteps: &steps, isBounded: isBounded)
        }
    }

    /// Evaluates an expression and tells whether its value is taken for true.
    mutating func holds(
        _ expression: LogicExpression, on data: LogicData, pointer: String
    ) throws(RowFailure) -> Bool {
        let isBounded = isBounded
        return try counted(pointer) { steps throws(LogicEvaluationError) in
            try expression.holds(data, addingSteps: &steps, isBounded: isBounded)
        }
    }

    /// Counts the reading of a text, before or after it is read.
    mutating func charge(reading bytes: Int) {
        steps += 1 + bytes >> 6
    }

    /// Counts what is made of the values of expressions, and written: a template that is filled in.
    mutating func charge(writing bytes: Int) {
        steps += 1 + bytes >> 4
    }

    /// Counts elements that are made to be shown.
    mutating func charge(elements: Int) {
        steps += elements
    }

    /// Refuses more steps than the reload, or a turn on the loop, may take.
    func check(_ pointer: String) throws(RowFailure) {
        guard steps <= stepLimit else {
            throw RowFailure(
                pointer: pointer,
                detail: "the expressions of one reload take more than \(stepLimit) steps together, which is the bound; "
                    + "let them read less, or split the director")
        }
        guard turn < .max, steps + RowEvaluation.keeping * count > turn else { return }
        throw RowFailure(pointer: pointer, detail: "", isLongerThanTurn: true)
    }

    /// Counts an evaluation and its steps, and says where it failed.
    private mutating func counted<Value>(
        _ pointer: String, _ evaluate: (inout Int) throws(LogicEvaluationError) -> Value
    ) throws(RowFailure) -> Value {
        count += 1
        steps += 1
        let value: Value
        do {
            value = try evaluate(&steps)
        } catch {
            throw RowFailure(pointer: pointer + error.pointer, detail: error.reason.description)
        }
        try check(pointer)
        return value
    }
}
