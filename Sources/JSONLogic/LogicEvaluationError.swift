import JSONValues

/// Why an evaluation gave no value.
package struct LogicEvaluationError: Error, Hashable, Sendable {
    /// The failures of an evaluation.
    package enum Reason: Hashable, Sendable {
        /// A value of this kind stands where a number is needed and does not stand for one.
        case notNumber(JSONKind)
        /// A number was divided by zero.
        case divisionByZero
        /// A result is beyond the range of `Int`, or of a double.
        case overflow
        /// A number or result has more digits than can be computed with.
        case inexact
        /// A value of this kind stands where an array is needed.
        case notArray(JSONKind)
        /// A value of this kind stands where a text is needed.
        case notText(JSONKind)
        /// A value of this kind stands where a step of a path is needed.
        case notPath(JSONKind)
        /// The array that the arguments were taken from holds too few of them, or too many.
        case argumentCount
        /// The evaluation took more steps than the limit.
        case tooManySteps(limit: Int)
        /// The built values take more bytes than the limit.
        case tooLarge(limit: Int)
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
    }

    /// What is wrong.
    package var reason: Reason

    /// The JSON pointer (RFC 6901) from the expression to the arguments of the operation that failed, of at most 1,000
    /// bytes.
    package var pointer: String
}

extension LogicEvaluationError: CustomStringConvertible {
    /// The error in a sentence that the author of the expression can act on.
    package var description: String {
        "the expression has no value: \(reason) (at \(pointer.quoted))"
    }
}

extension LogicEvaluationError.Reason: CustomStringConvertible {
    /// The reason in words.
    package var description: String {
        switch self {
        case .notNumber(let kind): "\(kind.phrase) does not stand for a number"
        case .divisionByZero: "a number is divided by zero"
        case .overflow: "a result is out of range"
        case .inexact: "a number has more digits than can be computed with"
        case .notArray(let kind): "an array is needed, not \(kind.phrase)"
        case .notText(let kind): "a text is needed, not \(kind.phrase)"
        case .notPath(let kind): "a path is made of strings and numbers, not of \(kind.phrase)"
        case .argumentCount: "the array of arguments holds too few or too many"
        case .tooManySteps(let limit): "it takes more than \(limit) steps"
        case .tooLarge(let limit): "what it builds takes more than \(limit) bytes"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit)"
        }
    }
}

/// An evaluation error inside the evaluation, where nothing is allocated for it.
struct LogicFailure: Error {
    let reason: LogicEvaluationError.Reason
    /// The instruction that failed.
    let place: Int

    init(_ reason: LogicEvaluationError.Reason, at place: Int) {
        self.reason = reason
        self.place = place
    }
}
