import JSONLogic
import JSONValues
import Notation

/// The JSON text that equal values have in common: members ordered by their names, numbers in one form.
enum CanonicalText {
    /// The text of a value.
    ///
    /// - Complexity: O(*n* log *n*) in the length of the value's text.
    static func bytes(of value: LogicValue) -> [UInt8] {
        var writer = JSONWriter()
        if case .json(let node) = value {
            write(node, to: &writer)
        } else if let json = try? value.json {
            write(json.document.root, to: &writer)
        } else {
            writer.null()
        }
        return writer.takeBytes()
    }

    /// The text of a number.
    static func bytes(of number: LogicNumber) -> [UInt8] {
        if case .integer(let int) = number { return Array(String(int).utf8) }
        return Array(number.decimal.description.utf8)
    }

    private static func write(_ node: JSONNode, to writer: inout JSONWriter) {
        switch node.kind {
        case .null: writer.null()
        case .bool: writer.bool(node.isTrue)
        case .number: writer.raw((node.scalarText ?? "0").utf8)
        case .string: writer.string(node.string ?? "")
        case .array:
            writer.array { writer in for element in node.elements { write(element, to: &writer) } }
        case .object:
            let members = node.members.map { (name: Name($0.name), value: $0.value) }
            writer.object { writer in
                for (name, value) in members.sorted(by: { $0.name < $1.name }) {
                    writer.key(name.text)
                    write(value, to: &writer)
                }
            }
        }
    }
}
