import JSONValues
import Notation

/// A number in a form for computation.
package enum LogicNumber: Sendable {
    /// A whole number in the range of `Int`.
    case integer(Int)
    /// A finite double that is no integer in the range of `Int`.
    case number(Double)
    /// A number that neither holds: it can be compared, and not computed with.
    indirect case decimal(DecimalNumber)

    /// Reads a value as a number, as ECMAScript's `Number()` does with all but arrays and objects: null is 0, true is 1,
    /// a string the number that it spells.
    ///
    /// - Returns: nil for what does not stand for a number.
    /// - Complexity: O(*n*) in the length of a text.
    package init?(_ value: LogicValue) {
        var digits = 0
        self.init(value, reading: &digits)
    }

    /// Reads a value as a number.
    ///
    /// - Parameter digits: Is increased by the length of a text that takes long to read: one of many digits, or with a
    ///   large exponent.
    init?(_ value: LogicValue, reading digits: inout Int) {
        switch value {
        case .integer(let int): self = .integer(int)
        case .number(let double):
            guard let number = LogicNumber(double) else { return nil }
            self = number
        case .null: self = .integer(0)
        case .bool(let bool): self = .integer(bool ? 1 : 0)
        case .utf8(let bytes): self.init(spelledBy: bytes[...], &digits)
        case .array, .object: return nil
        case .json(let node): self.init(node, &digits)
        }
    }

    private init?(_ node: JSONNode, _ digits: inout Int) {
        switch node.kind {
        case .null: self = .integer(0)
        case .bool: self = .integer(node.bool == true ? 1 : 0)
        case .number: self.init(text: node.text, &digits)
        case .string: self.init(spelledBy: node.utf8 ?? [], &digits)
        case .array, .object: return nil
        }
    }

    private init(text: ArraySlice<UInt8>, _ digits: inout Int) {
        let short = JSONNumber(short: text)
        if short == nil { digits += text.count }
        switch short ?? JSONNumber(DecimalNumber(text)) {
        case .integer(let int): self = .integer(int)
        case .double(let double): self = .number(double)
        case .decimal(let number): self = .decimal(number)
        }
    }

    /// Takes a double that was computed; a whole one becomes an integer.
    ///
    /// - Returns: nil for one that is not finite.
    init?(_ double: Double) {
        guard double.isFinite else { return nil }
        self = Int(exactly: double).map { .integer($0) } ?? .number(double)
    }

    /// Reads a text as ECMAScript's `Number()` does, without its hexadecimal numbers and infinities: white space around
    /// a decimal number, or alone for 0.
    private init?(spelledBy text: ArraySlice<UInt8>, _ digits: inout Int) {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || 0x09...0x0D ~= byte }
        var rest = text.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        guard !rest.isEmpty else {
            self = .integer(0)
            return
        }
        guard LogicNumber.isNumber(rest) else { return nil }
        self.init(text: rest.first == UInt8(ascii: "+") ? rest.dropFirst() : rest, &digits)
    }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func isSign(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
        func digits() -> Int {
            let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            rest = rest.dropFirst(count)
            return count
        }
        if isSign(rest.first) { rest.removeFirst() }
        var count = digits()
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            count += digits()
        }
        guard count > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if isSign(rest.first) { rest.removeFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Whether the number has more digits, or another exponent, than can be computed with.
    var isDecimal: Bool {
        if case .decimal = self { true } else { false }
    }

    /// The number as a value; a decimal number is written anew, in one form.
    package var value: LogicValue {
        switch self {
        case .integer(let int): return .integer(int)
        case .number(let double): return .number(double)
        case .decimal(let number):
            guard let document = try? JSONDocument(number.description) else { return .null }
            return .json(document.root)
        }
    }
}

extension LogicNumber: Comparable {
    /// Compares exactly, whatever the forms.
    package static func == (left: LogicNumber, right: LogicNumber) -> Bool {
        switch (left, right) {
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.decimal(let one), .decimal(let other)): one == other
        // Each number has one form only.
        default: false
        }
    }

    /// Compares exactly, whatever the forms.
    package static func < (left: LogicNumber, right: LogicNumber) -> Bool {
        switch (left, right) {
        case (.integer(let one), .integer(let other)): one < other
        case (.number(let one), .number(let other)): one < other
        case (.integer(let int), .number(let double)): isLess(int, than: double)
        case (.number(let double), .integer(let int)): !isLess(int, than: double)
        default: left.decimal < right.decimal
        }
    }

    /// Compares with a double that is not a whole number in the range of `Int`.
    private static func isLess(_ int: Int, than double: Double) -> Bool {
        guard double.magnitude < 0x1p63 else { return double > 0 }
        // Rounded down, it is below the double, and so are all integers up to it.
        return int <= Int(double.rounded(.down))
    }

    /// The number as a decimal number.
    package var decimal: DecimalNumber {
        switch self {
        case .integer(let int): DecimalNumber(int)
        case .number(let double): DecimalNumber(double)
        case .decimal(let number): number
        }
    }
}
