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

    /// The failure as seen from further out.
    func inside(_ prefix: String, _ name: String) -> RowFailure {
        RowFailure(pointer: prefix + pointer, detail: detail, names: names + [name])
    }

    /// The failure as a reload tells it.
    var error: DirectorError {
        let row = zip(["row", " of the section"], names).map { "\($0) \($1.quoted)" }.joined()
        let fault = Fault(pointer: pointer, detail: "the \(row) cannot be published: \(detail)")
        return DirectorError(.refused([fault]), pointer: pointer)
    }
}

/// The evaluation of rows in one reload: the variables, read when an expression asks for them, and what was spent.
struct RowEvaluation {
    private let variables: TreeDictionary<Name, JSONValue>
    private let stepLimit: Int
    private var known: [Name: LogicValue] = [:]
    private var whole: LogicValue?
    private var steps = 0

    /// How many expressions have been evaluated.
    private(set) var count = 0

    /// - Parameters:
    ///   - variables: The director's variables.
    ///   - stepLimit: How many steps all expressions may take together.
    init(variables: TreeDictionary<Name, JSONValue>, stepLimit: Int) {
        self.variables = variables
        self.stepLimit = stepLimit
    }

    /// The variables that an expression reads, as an object; those that are not there are not in it.
    ///
    /// - Complexity: O(*v*) in the number of variables that it reads; all of them where it may read any.
    mutating func variables(for reads: RowReads) -> LogicValue {
        if reads.readsAnyVariable {
            if let whole { return whole }
            let members = variables.lazy.map { ($0.key, LogicValue.json($0.value.document.root)) }
            let all = LogicValue.object(Dictionary(uniqueKeysWithValues: members))
            whole = all
            return all
        }
        var members: [Name: LogicValue] = [:]
        for name in reads.variables {
            guard let value = variables[name] else { continue }
            let read = known[name] ?? .json(value.document.root)
            known[name] = read
            members[name] = read
        }
        return .object(members)
    }

    /// Evaluates an expression.
    ///
    /// - Parameter pointer: The JSON pointer from the row to the expression.
    mutating func value(
        of expression: LogicExpression, on data: LogicData, pointer: String
    ) throws(RowFailure) -> LogicValue {
        try counted(pointer) { steps throws(LogicEvaluationError) in
            try expression.evaluate(data, addingSteps: &steps)
        }
    }

    /// Evaluates an expression and tells whether its value is taken for true.
    mutating func holds(
        _ expression: LogicExpression, on data: LogicData, pointer: String
    ) throws(RowFailure) -> Bool {
        try counted(pointer) { steps throws(LogicEvaluationError) in
            try expression.holds(data, addingSteps: &steps)
        }
    }

    /// Counts an evaluation and its steps, and says where it failed.
    private mutating func counted<Value>(
        _ pointer: String, _ evaluate: (inout Int) throws(LogicEvaluationError) -> Value
    ) throws(RowFailure) -> Value {
        count += 1
        let value: Value
        do {
            value = try evaluate(&steps)
        } catch {
            throw RowFailure(pointer: pointer + error.pointer, detail: error.reason.description)
        }
        guard steps <= stepLimit else {
            throw RowFailure(
                pointer: pointer, detail: "the expressions of one reload take more than \(stepLimit) steps together")
        }
        return value
    }
}
