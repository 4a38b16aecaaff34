import JSONLogic
import JSONValues
import Notation

/// A row's visibility or height: a literal, or an expression that each reload evaluates.
package struct RowRule: Equatable, Sendable {
    /// The literal or the expression as it was written.
    package let source: JSONValue

    /// The expression; nil for a literal.
    let expression: LogicExpression?

    /// The inputs of the expression; none for a literal.
    let reads: RowReads

    init(literal: JSONValue) {
        source = literal
        expression = nil
        reads = RowReads()
    }

    init(_ expression: LogicExpression) {
        source = expression.source
        self.expression = expression
        reads = RowReads(expression.reads)
    }

    /// Compares what was written.
    package static func == (left: RowRule, right: RowRule) -> Bool {
        left.source == right.source
    }

    /// Reads a rule: a literal where the closure takes the node for one, else an expression.
    fileprivate static func decode(
        _ node: JSONNode, literal: String, _ isLiteral: (JSONNode, inout FaultList) -> Bool?, _ faults: inout FaultList
    ) -> RowRule? {
        if let isValid = isLiteral(node, &faults) { return isValid ? RowRule(literal: node.value) : nil }
        guard node.kind == .object, node.hasOneMember else {
            faults.append(
                node,
                #"expected \#(literal), or an expression: an object with one member, such as {"var": "model.age"}"#)
            return nil
        }
        return LogicExpression.decode(node, &faults).map { RowRule($0) }
    }
}

extension JSONNode {
    /// Whether the node is an object with exactly one member.
    var hasOneMember: Bool {
        var members = members.makeIterator()
        return members.next() != nil && members.next() == nil
    }
}

extension LogicExpression {
    /// Reads an expression; the pointer of a fault leads into it.
    package static func decode(_ node: JSONNode, _ faults: inout FaultList) -> LogicExpression? {
        let text = node.value
        if let known = faults.reading.expression(text.bytes) { return known }
        if let detail = faults.reading.takeExpression(text.bytes.count) {
            faults.append(node, detail)
            return nil
        }
        do {
            let expression = try LogicExpression(node)
            faults.reading.keep(expression)
            return expression
        } catch {
            faults.append(node.pointer.description + error.pointer, error.reason.description)
            return nil
        }
    }
}

extension FieldType<RowRule> {
    /// A boolean, or an expression whose value is taken for true or false.
    static let condition = FieldType(
        .reference("RowCondition"),
        decode: { node, faults in
            RowRule.decode(node, literal: "true or false", { node, _ in node.kind == .bool ? true : nil }, &faults)
        }, encode: { $1.value($0.source) })

    /// A length in points, or an expression whose value is one.
    static let lengthRule = FieldType(
        .reference("RowLength"),
        decode: { node, faults in
            RowRule.decode(
                node, literal: "a number",
                { node, faults in node.kind == .number ? node.decodeLength(&faults) != nil : nil }, &faults)
        }, encode: { $1.value($0.source) })
}

/// The inputs of a row's expression.
struct RowReads: Equatable, Sendable {
    /// The names of the variables.
    private(set) var variables: Set<Name> = []
    /// Whether it may read any variable: their object as a whole, or one whose name is computed.
    private(set) var readsAnyVariable = false
    /// Whether it reads of the section what may change.
    private(set) var readsSection = false
    /// Whether it reads the element's value, or where it stands: then it is evaluated for each element.
    private(set) var readsElement = false
    /// Whether it reads what tells the row.
    private(set) var readsRow = false
    /// Whether it reads the element's position in its row.
    private(set) var readsIndex = false

    init() {}

    init(_ reads: LogicReads) {
        for path in reads.paths { add(path) }
    }

    private mutating func add(_ path: [String]) {
        switch path.first {
        case nil:
            (readsAnyVariable, readsSection, readsRow, readsElement, readsIndex) = (true, true, true, true, true)
        case "variables":
            if path.count > 1 { variables.insert(Name(path[1])) } else { readsAnyVariable = true }
        case "section": readsSection = true
        case "row": readsRow = true
        case "model": readsElement = true
        case "index": (readsElement, readsIndex) = (true, true)
        default: break
        }
    }

    /// The same where there is no element to read.
    var withoutElement: RowReads {
        var reads = self
        (reads.readsElement, reads.readsIndex) = (false, false)
        return reads
    }

    /// Adds what another expression reads.
    mutating func formUnion(_ other: RowReads) {
        variables.formUnion(other.variables)
        readsAnyVariable = readsAnyVariable || other.readsAnyVariable
        readsSection = readsSection || other.readsSection
        readsRow = readsRow || other.readsRow
        readsElement = readsElement || other.readsElement
        readsIndex = readsIndex || other.readsIndex
    }
}
