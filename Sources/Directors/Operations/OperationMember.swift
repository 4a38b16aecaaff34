import JSONValues

/// A member of operations: its name and its meaning. Its type is that of its values.
struct OperationMember<Value: MemberValue> {
    let name: String
    let summary: String

    init(_ name: String, _ summary: String = "") {
        self.name = name
        self.summary = summary
    }
}

/// The values of one type of members: their schema, and how they are read and written.
protocol MemberValue {
    static var schema: JSONSchema { get }
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> Self?
    func encode(to writer: inout JSONWriter)
}

/// A value of which a member may have several.
protocol ListedValue: MemberValue {
    static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [Self]?
}

extension OperationMember {
    static var value: Self { Self("value", "The new value.") }
}

extension OperationMember<Address> {
    static var section: Self { Self("section", "The section.") }
    static var targetSection: Self { Self("section", "The section; a new one unless given.") }
    static var ofRow: Self { Self("row", "The model row whose elements are meant; the section's unless given.") }
    static var from: Self { Self("from", "The item to move.") }
    static var to: Self { Self("to", "Its place after the move.") }
    static var toSection: Self { Self("toSection", "The section that it goes to; its own unless given.") }
    static var toRow: Self { Self("toRow", "The model row that it goes to; a section of elements unless given.") }
    static var at: Self { Self("at", "The one.") }
    static var with: Self { Self("with", "The other.") }
    static var insertionPlace: Self { Self("at", "The place of the first; at the end unless given.") }
}

extension OperationMember<[Address]> {
    static var places: Self { Self("at", "The items to remove.") }
}

extension OperationMember<ValueDraft> {
    static var patch: Self { Self("patch", "A merge patch (RFC 7396).") }
}

extension Address: ListedValue {
    static var schema: JSONSchema { .reference("Place") }

    static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [Address]? {
        guard node.kind == .array else {
            faults.append(node, expected: "an array of positions")
            return nil
        }
        return node.elements.compactMap { decode($0, &faults) }
    }
}

extension Array: MemberValue where Element: ListedValue {
    static var schema: JSONSchema { .array(Element.schema) }

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> [Element]? { Element.decodeList(node, &faults) }

    func encode(to writer: inout JSONWriter) {
        writer.beginArray()
        for value in self { value.encode(to: &writer) }
        writer.endArray()
    }
}

extension ValueDraft: MemberValue {
    static var schema: JSONSchema { .any }

    static func decode(_ node: JSONNode, _: inout FaultList) -> ValueDraft? { ValueDraft(readingPatch: node) }

    func encode(to writer: inout JSONWriter) { writer.value(value) }
}

extension JSONWriter {
    /// Appends a member.
    mutating func member<Value>(_ member: OperationMember<Value>, _ value: Value) {
        key(member.name)
        value.encode(to: &self)
    }

    /// Appends a member where it has a value.
    mutating func member<Value>(_ member: OperationMember<Value>, _ value: Value?) {
        if let value { self.member(member, value) }
    }
}
