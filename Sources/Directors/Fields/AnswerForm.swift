import JSONValues

/// The members of an answer, each declared once: they write the answer, and its schema follows from them.
///
/// It is for answers alone; a resource that bodies bring as well has ``Fields``.
package struct AnswerForm<Root: Sendable>: Sendable {
    private let fields: [AnswerField<Root>]

    /// Lists the members in the order in which they are written.
    package init(_ fields: AnswerField<Root>...) {
        self.fields = fields
    }

    /// The names of the members.
    package var names: [String] { fields.map(\.member.name) }

    /// The schema of the answer.
    package var schema: JSONSchema { .object(fields.map(\.member), side: .answer) }

    /// Appends the answer, an object.
    package func encode(_ root: Root, to writer: inout JSONWriter) {
        writer.beginObject()
        for field in fields { field.encode(root, &writer) }
        writer.endObject()
    }
}

/// A member of an answer.
package struct AnswerField<Root: Sendable>: Sendable {
    let member: MemberDescription
    /// Appends name and value, where there is one.
    let encode: @Sendable (Root, inout JSONWriter) -> Void

    /// Declares a member that is always there.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - summary: Its meaning, in a sentence.
    ///   - schema: Its schema, if it says more than the value's type.
    ///   - get: Its value.
    package init<Value: AnswerValue>(
        _ name: String, _ summary: String = "", as schema: JSONSchema = Value.schema,
        _ get: @escaping @Sendable (Root) -> Value
    ) {
        let quoted = name.quoted + ":"
        member = MemberDescription(name, schema, summary)
        encode = { root, writer in
            writer.key(quoted: quoted)
            get(root).write(to: &writer)
        }
    }

    /// Declares a member that is left out where it has no value.
    package static func ifAny<Value: AnswerValue>(
        _ name: String, _ summary: String = "", as schema: JSONSchema = Value.schema,
        _ get: @escaping @Sendable (Root) -> Value?
    ) -> AnswerField {
        let quoted = name.quoted + ":"
        return AnswerField(member: MemberDescription(name, schema, presence: .sometimes, summary)) { root, writer in
            guard let value = get(root) else { return }
            writer.key(quoted: quoted)
            value.write(to: &writer)
        }
    }

    private init(member: MemberDescription, encode: @escaping @Sendable (Root, inout JSONWriter) -> Void) {
        (self.member, self.encode) = (member, encode)
    }
}

/// A value of an answer's member.
package protocol AnswerValue: Sendable {
    /// Its schema.
    static var schema: JSONSchema { get }
    /// Appends the value.
    func write(to writer: inout JSONWriter)
}

/// An answer, or a part of one, that is an object.
package protocol AnswerObject: AnswerValue {
    /// Its members.
    static var form: AnswerForm<Self> { get }
}

extension AnswerObject {
    package static var schema: JSONSchema { form.schema }
    package func write(to writer: inout JSONWriter) { Self.form.encode(self, to: &writer) }

    /// Its bytes.
    package var encoded: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension String: AnswerValue {
    package static var schema: JSONSchema { .string() }
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: AnswerValue {
    package static var schema: JSONSchema { .integer() }
    package func write(to writer: inout JSONWriter) { writer.int(self) }
}

/// A measured length of time: a text of whole milliseconds, such as `12ms`, and at least one.
extension Duration: AnswerValue {
    package static var schema: JSONSchema { .string() }
    package func write(to writer: inout JSONWriter) { writer.string(DurationText.measured(self)) }
}

extension Bool: AnswerValue {
    package static var schema: JSONSchema { .boolean }
    package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension JSONValue: AnswerValue {
    package static var schema: JSONSchema { .any }
    package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension WallTime: AnswerValue {
    package static var schema: JSONSchema { .dateTime }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension Optional: AnswerValue where Wrapped: AnswerValue {
    package static var schema: JSONSchema { .nullable(Wrapped.schema) }
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Array: AnswerValue where Element: AnswerValue {
    package static var schema: JSONSchema { .array(Element.schema) }
    package func write(to writer: inout JSONWriter) {
        writer.array { writer in for element in self { element.write(to: &writer) } }
    }
}
