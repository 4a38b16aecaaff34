import JSONValues

/// Why an expression was refused when it was read.
package struct LogicError: Error, Hashable, Sendable {
    /// The faults of an expression.
    package enum Reason: Hashable, Sendable {
        /// No operation has this name; the nearest one that there is, if any is near.
        case unknownOperator(String, nearest: String?)
        /// An operation got fewer or more arguments than it takes.
        case argumentCount(String, expected: String, found: Int)
        /// The arguments of this operation have to be written as an array.
        case argumentsNotListed(String)
        /// A literal stands where this operation cannot use it.
        case unsuitableLiteral(String, JSONKind, expected: String)
        /// Operations and arrays are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// The expression consists of more values than the limit.
        case tooLarge(limit: Int)
    }

    /// What is wrong.
    package var reason: Reason

    /// The JSON pointer (RFC 6901) from the expression to the place, of at most 1,000 bytes.
    package var pointer: String

    init(_ reason: Reason, at node: JSONNode) {
        self.reason = reason
        pointer = JSONPointer.bounded(node.pointer.description)
    }
}

extension LogicError: CustomStringConvertible {
    /// The error in a sentence that the author of the expression can act on.
    package var description: String {
        "not a JsonLogic expression: \(reason) (at \(pointer.quoted))"
    }
}

extension LogicError.Reason: CustomStringConvertible {
    /// The reason in words.
    package var description: String {
        switch self {
        case .unknownOperator(let name, nil): "there is no operator \(name.quoted)"
        case .unknownOperator(let name, let nearest?):
            "there is no operator \(name.quoted); the nearest is \(nearest.quoted)"
        case .argumentCount(let name, let expected, let found):
            "\(name.quoted) takes \(expected), and there are \(found)"
        case .argumentsNotListed(let name): "\(name.quoted) takes its arguments as an array"
        case .unsuitableLiteral(let name, let kind, let expected):
            "\(name.quoted) takes \(expected) here, not \(kind.phrase)"
        case .tooDeep(let limit): "operations and arrays are nested deeper than \(limit)"
        case .tooLarge(let limit): "it consists of more than \(limit) values"
        }
    }
}
