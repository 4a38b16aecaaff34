import JSONValues
import Notation

/// A value that an expression reads or gives.
///
/// A part of a document stays a node until it is looked into; nothing is converted that an expression does not read.
package enum LogicValue: Sendable {
    /// The literal `null`.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A finite number.
    case number(Double)
    /// A string in UTF-8.
    case utf8([UInt8])
    /// An array of values.
    case array(LogicArray)
    /// An object of values.
    case object(LogicObject)
    /// A value of any kind in a document.
    case json(JSONNode)

    /// Makes a string value.
    package static func string(_ string: String) -> LogicValue {
        .utf8(Array(string.utf8))
    }

    /// Makes an array value.
    package static func array(_ elements: [LogicValue]) -> LogicValue {
        .array(LogicArray(elements))
    }

    /// Makes an object value.
    package static func object(_ members: [Name: LogicValue]) -> LogicValue {
        .object(LogicObject(members))
    }

    /// Reads kept values once, so that expressions can look into them often.
    ///
    /// - Complexity: O(*n*) in the length of their texts.
    package static func object(reading members: [Name: JSONValue]) -> LogicValue {
        .object(members.mapValues { .json($0.document.root) })
    }

    /// The kind of the value.
    package var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .integer, .number: .number
        case .utf8: .string
        case .array: .array
        case .object: .object
        case .json(let node): node.kind
        }
    }

    /// Whether JsonLogic takes the value for true (`!!`): everything is, but null, false, zero, the empty string and
    /// the empty array.
    ///
    /// - Complexity: O(1), but O(*n*) in the length of a number's text where that begins with zeros.
    package var isTruthy: Bool {
        var bytes = 0
        return isTruthy(reading: &bytes)
    }

    /// Whether JsonLogic takes the value for true.
    ///
    /// - Parameter bytes: Is increased by the length of the text that had to be read for it.
    func isTruthy(reading bytes: inout Int) -> Bool {
        switch self {
        case .null: false
        case .bool(let bool): bool
        case .integer(let int): int != 0
        case .number(let double): double != 0
        case .utf8(let bytes): !bytes.isEmpty
        case .array(let array): !array.elements.isEmpty
        case .object: true
        case .json(let node): LogicValue.isTruthy(node, reading: &bytes)
        }
    }

    private static func isTruthy(_ node: JSONNode, reading bytes: inout Int) -> Bool {
        switch node.kind {
        case .null: return false
        case .bool: return node.isTrue
        case .number:
            bytes += node.textCount
            return !node.isZero
        case .string: return node.textCount > 2
        case .array: return node.elements.contains { _ in true }
        case .object: return true
        }
    }

    /// The truth value, nil for any other kind.
    package var bool: Bool? {
        switch self {
        case .bool(let bool): bool
        case .json(let node): node.bool
        default: nil
        }
    }

    /// The number, where it is a whole one in the range of `Int`.
    package var int: Int? {
        if case .integer(let int)? = numeral { int } else { nil }
    }

    /// The nearest finite double, nil for what is not a number or beyond the range of a double.
    package var double: Double? {
        switch numeral {
        case .integer(let int): Double(int)
        case .number(let double): double
        case .decimal(let number): number.nearestDouble
        case nil: nil
        }
    }

    /// The string, nil for any other kind.
    package var string: String? {
        utf8.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The string in UTF-8, nil for any other kind.
    package var utf8: ArraySlice<UInt8>? {
        switch self {
        case .utf8(let bytes): bytes[...]
        case .json(let node): node.utf8
        default: nil
        }
    }

    /// The number, nil for any other kind.
    private var numeral: LogicNumber? {
        if case .number = kind { LogicNumber(self) } else { nil }
    }
}
