import JSONValues
import Notation

/// The JSON form of a field's values: how one is read and written, and its schema.
package struct FieldType<Value: Sendable>: Sendable {
    /// What an answer has.
    let schema: JSONSchema
    /// What a body may have.
    let bodySchema: JSONSchema
    /// Reads a value; nil where the property stays as it is, as after a fault.
    let decode: @Sendable (JSONNode, inout FaultList) -> Value?
    /// Appends a name, quoted and followed by a colon, and a value; nothing where there is no value.
    let encodeMember: @Sendable (String, Value, inout JSONWriter) -> Void
    /// Appends a value.
    let encode: @Sendable (Value, inout JSONWriter) -> Void
    /// Tells whether there is a value; nil where there always is.
    let isPresent: (@Sendable (Value) -> Bool)?
    /// The text that a value consists of; nil for other kinds of values.
    let text: (@Sendable (Value) -> String?)?
    /// Tells whether a merge patch's member replaces a value instead of being merged into it.
    let isReplaced: @Sendable (Value, JSONNode) -> Bool

    /// Makes a type of values that are always there; a body has what an answer has, and no value is replaced, unless
    /// said otherwise.
    package init(
        _ schema: JSONSchema, body: JSONSchema? = nil,
        decode: @escaping @Sendable (JSONNode, inout FaultList) -> Value?,
        encode: @escaping @Sendable (Value, inout JSONWriter) -> Void, text: (@Sendable (Value) -> String?)? = nil,
        isReplaced: @escaping @Sendable (Value, JSONNode) -> Bool = { _, _ in false }
    ) {
        self.schema = schema
        bodySchema = body ?? schema
        self.decode = decode
        encodeMember = { name, value, writer in
            writer.key(quoted: name)
            encode(value, &writer)
        }
        self.encode = encode
        isPresent = nil
        self.text = text
        self.isReplaced = isReplaced
    }

    /// Makes the type of a value that is written where it is another one than the default.
    private init(_ type: FieldType, unless initial: Value) where Value: Equatable & Sendable {
        schema = type.schema
        bodySchema = type.bodySchema
        decode = type.decode
        encodeMember = { name, value, writer in
            if value != initial { type.encodeMember(name, value, &writer) }
        }
        encode = type.encode
        isPresent = { $0 != initial }
        text = type.text
        isReplaced = type.isReplaced
    }

    /// Makes the type of a value that may be missing.
    private init<Wrapped>(optional type: FieldType<Wrapped>, keepingNull: Bool) where Value == Wrapped? {
        schema = type.schema
        bodySchema = keepingNull ? type.bodySchema : .nullable(type.bodySchema)
        decode = { node, faults in node.isNull && !keepingNull ? nil : .some(type.decode(node, &faults)) }
        encodeMember = { name, value, writer in
            if let value { type.encodeMember(name, value, &writer) }
        }
        encode = { value, writer in
            if let value { type.encode(value, &writer) } else { writer.null() }
        }
        isPresent = { $0 != nil }
        text = if let text = type.text { { $0.flatMap(text) } } else { nil }
        isReplaced = { value, patch in value.map { type.isReplaced($0, patch) } ?? false }
    }
}

extension FieldType {
    /// An optional value: nil is not written, and null in a body means the same as a missing member, unless null is a
    /// value of its own.
    package static func optional<Wrapped>(
        _ type: FieldType<Wrapped>, keepingNull: Bool = false
    ) -> FieldType where Value == Wrapped? {
        FieldType(optional: type, keepingNull: keepingNull)
    }

    /// A value that is written only where it is not the default. A program that does not know the field can read the rest.
    package static func unless(_ initial: Value, _ type: FieldType) -> FieldType where Value: Equatable {
        FieldType(type, unless: initial)
    }

    /// A value that is always there; null in a body is as good as leaving it out.
    package static func nullable(_ type: FieldType) -> FieldType {
        FieldType(
            type.schema, body: .nullable(type.bodySchema), decode: { $0.isNull ? nil : type.decode($0, &$1) },
            encode: type.encode, text: type.text, isReplaced: type.isReplaced)
    }
}

extension FieldType<JSONValue> {
    /// Any value.
    package static let anyValue = FieldType(.any, decode: { node, _ in node.value }, encode: { $1.value($0) })
}

extension FieldType<Bool> {
    /// True or false.
    package static let boolean = FieldType(.boolean, decode: { $0.decodeBool(&$1) }, encode: { $1.bool($0) })
}

extension FieldType<String> {
    /// Any text.
    package static let text = FieldType(
        .string(), decode: { $0.decodeString(&$1) }, encode: { $1.string($0) }, text: { $0 })

    /// The name of a model, a cell or a view.
    package static let name = FieldType(
        .string(minLength: 1, maxLength: Name.maximumLength), decode: { $0.decodeName(&$1) },
        encode: { $1.string($0) }, text: { $0 })

    /// The name of something that is registered.
    package static let registeredName = FieldType(
        name.schema, decode: { $0.decodeName(&$1, isReference: true) }, encode: { $1.string($0) }, text: { $0 })
}

extension FieldType<Double> {
    /// A length in points, not below zero.
    package static let length = FieldType(
        .reference("Length"), decode: { $0.decodeLength(&$1) }, encode: { $1.double($0) })

    /// A height in points, or -1 for an automatic one.
    package static let height = FieldType(
        .reference(AnswerType.height.schemaName), decode: { $0.decodeHeight(&$1) }, encode: { $1.double($0) })

    /// A distance in points from an edge; one below zero reaches out.
    package static let inset = FieldType(
        .reference("Inset"), decode: { $0.decodeLength(&$1, allowingNegative: true) }, encode: { $1.double($0) })
}

extension FieldType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the cases of an enumeration.
    package static var choice: FieldType {
        FieldType(
            .choice(Value.allCases.map(\.rawValue)), decode: { $0.decodeChoice(Value.self, &$1) },
            encode: { $1.string($0.rawValue) })
    }
}
