import Directors
import JSONValues
import Notation

/// A named input of a view that a reader binds.
package struct ViewParameter: Equatable, Sendable {
    /// The type of a parameter's values.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A text.
        case string
        /// A number.
        case number
        /// A whole number.
        case integer
        /// True or false.
        case boolean
    }

    /// The members of a parameter, without its name.
    package struct Values: Equatable, Sendable {
        /// The type.
        package var kind = Kind.string
        /// The value where a reader binds none; nil if a reader has to bind one.
        package var initial: JSONValue?

        static let fields = Fields<Values>("a parameter") {
            Field("type", \.kind, .choice, isRequired: true, "The type of the values.")
            Field(
                "default", \.initial, .optional(.anyValue),
                "The value where a reader binds none; left out, a reader has to bind one.")
        }
    }

    /// The name.
    @Verbatim package var name: String
    /// The members.
    package var values: Values

    /// Makes a parameter.
    package init(name: String, _ kind: Kind, initial: JSONValue? = nil) {
        self.name = name
        values = Values(kind: kind, initial: initial)
    }

    /// Whether a value is of the parameter's type.
    func accepts(_ value: JSONNode) -> Bool {
        switch values.kind {
        case .string: value.kind == .string
        case .number: value.kind == .number
        case .integer: value.int != nil
        case .boolean: value.kind == .bool
        }
    }

    /// The type in a sentence.
    var expected: String {
        switch values.kind {
        case .string: "a string"
        case .number: "a number"
        case .integer: "a whole number"
        case .boolean: "true or false"
        }
    }

    fileprivate static func decode(_ member: JSONNode.Member, _ faults: inout FaultList) -> ViewParameter? {
        let name = member.name
        if let detail = Name.fault(in: name) { faults.append(member.value, detail) }
        guard let values = Values.fields.decode(member.value, into: Values(), &faults) else { return nil }
        var parameter = ViewParameter(name: name, values.kind)
        parameter.values = values
        if let initial = member.value["default"], !initial.isNull, !parameter.accepts(initial) {
            faults.append(initial, expected: parameter.expected)
        }
        return parameter
    }
}

extension FieldType<[ViewParameter]> {
    /// The parameters of a view, an object by name.
    static let viewParameters = FieldType(
        .any,
        decode: { node, faults in
            node.decodeNamed("parameters", limit: ViewDefinition.maximumParameters, &faults) {
                ViewParameter.decode($0, &$1)
            }
        },
        encode: { parameters, writer in
            writer.object { writer in
                for parameter in parameters {
                    writer.key(parameter.name)
                    ViewParameter.Values.fields.encode(parameter.values, to: &writer)
                }
            }
        })
}

extension JSONNode {
    /// Reads an object whose members have names of the author's; null is an empty one.
    ///
    /// - Parameters:
    ///   - what: The object's name in faults.
    ///   - limit: How many members it may have.
    func decodeNamed<Item>(
        _ what: String, limit: Int, _ faults: inout FaultList,
        _ decode: (Member, inout FaultList) -> Item?
    ) -> [Item]? {
        if isNull { return [] }
        guard isObject(what, &faults) else { return nil }
        guard members.prefix(limit + 1).reduce(0, { count, _ in count + 1 }) <= limit else {
            faults.append(self, "\(what) has at most \(limit) members")
            return nil
        }
        var items: [Item] = []
        for member in members where !faults.isFull {
            if let item = decode(member, &faults) { items.append(item) }
        }
        return items
    }
}
