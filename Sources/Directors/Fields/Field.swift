import JSONValues

/// A member of a resource's JSON form and the property that it stands for: the one place where both are declared.
package final class Field<Root: Equatable & Sendable>: Sendable {
    /// Its name, its meaning and its schemas.
    package let member: MemberDescription
    /// The only kinds of directors that have the field; none where all have it.
    let kinds: [DirectorKind]
    /// The name of the preceding field in the written form; nil for the preceding declaration.
    let predecessor: String?
    /// The version that a program has to know in order to read the field; see ``ContentVersion``.
    let contentVersion: Int
    /// Reads the property. After a fault it is what it was.
    let decode: @Sendable (JSONNode, inout Root, inout FaultList) -> Void
    /// Appends name and value, where the value is written.
    let encode: @Sendable (Root, inout JSONWriter) -> Void
    /// Tells whether the value is written.
    let isPresent: @Sendable (Root) -> Bool
    /// The property's text; nil for a property of another kind.
    let text: (@Sendable (Root) -> String?)?
    /// Puts the property back to that of another root.
    let put: @Sendable (inout Root, Root) -> Void
    /// Puts the property back to that of another root where a merge patch's member replaces it.
    let reset: @Sendable (inout Root, Root, JSONNode) -> Void

    /// Declares a field.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - get: Reads the property. A closure takes a fraction of a key path's time.
    ///   - set: Writes the property.
    ///   - type: The property's type.
    ///   - isRequired: Whether a body has to have the member.
    ///   - kinds: The only kinds of directors with the field; none for all.
    ///   - predecessor: The name of the preceding field in the written form; nil for the preceding declaration.
    ///   - contentVersion: The version that a program has to know in order to read the field.
    ///   - presence: The field's rules in an answer; nil if its type alone decides.
    ///   - summary: The field's meaning, in a sentence.
    package init<Value>(
        _ name: String, get: @escaping @Sendable (Root) -> Value,
        set: @escaping @Sendable (inout Root, Value) -> Void, _ type: FieldType<Value>, isRequired: Bool = false,
        only kinds: [DirectorKind] = [], after predecessor: String? = nil,
        since contentVersion: Int = ContentVersion.plain, presence: MemberDescription.Presence? = nil, _ summary: String
    ) {
        member = MemberDescription(
            name, type.schema, body: type.bodySchema, use: isRequired ? .required : .optional,
            presence: presence ?? (type.isPresent == nil ? .always : .sometimes), summary)
        self.kinds = kinds
        self.predecessor = predecessor
        self.contentVersion = contentVersion
        decode = { node, root, faults in
            if let value = type.decode(node, &faults) { set(&root, value) }
        }
        let quoted = name.quoted + ":"
        encode = { root, writer in type.encodeMember(quoted, get(root), &writer) }
        isPresent = { root in type.isPresent?(get(root)) ?? true }
        if let text = type.text {
            self.text = { text(get($0)) }
        } else {
            text = nil
        }
        put = { root, initial in set(&root, get(initial)) }
        reset = { root, initial, patch in
            if type.isReplaced(get(root), patch) { set(&root, get(initial)) }
        }
    }

    /// Declares a field of a part as one of the whole.
    ///
    /// - Parameters:
    ///   - field: The part's field.
    ///   - get: Reads the part.
    ///   - set: Writes the part.
    ///   - kinds: The only kinds of directors with the field; none for all.
    ///   - contentVersion: The version that a program has to know in order to read the field.
    init<Part>(
        _ field: Field<Part>, get: @escaping @Sendable (Root) -> Part,
        set: @escaping @Sendable (inout Root, Part) -> Void, only kinds: [DirectorKind], since contentVersion: Int
    ) {
        @Sendable func change(_ root: inout Root, _ change: (inout Part) -> Void) {
            var part = get(root)
            change(&part)
            set(&root, part)
        }
        member = field.member
        self.kinds = kinds
        predecessor = field.predecessor
        self.contentVersion = contentVersion
        decode = { node, root, faults in change(&root) { field.decode(node, &$0, &faults) } }
        encode = { root, writer in field.encode(get(root), &writer) }
        isPresent = { field.isPresent(get($0)) }
        if let text = field.text {
            self.text = { text(get($0)) }
        } else {
            text = nil
        }
        put = { root, initial in change(&root) { field.put(&$0, get(initial)) } }
        reset = { root, initial, patch in change(&root) { field.reset(&$0, get(initial), patch) } }
    }

    /// Declares a field of a resource that is seldom read and written.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - path: The property.
    ///   - type: What it holds.
    ///   - isRequired: Whether a body has to have the member.
    ///   - contentVersion: The version that a program has to know in order to read the field.
    ///   - summary: What it means, in a sentence.
    package convenience init<Value>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ type: FieldType<Value>,
        isRequired: Bool = false, since contentVersion: Int = ContentVersion.plain, _ summary: String
    ) {
        self.init(
            name, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 }, type, isRequired: isRequired,
            since: contentVersion, summary)
    }
}

/// Lists the fields of a resource.
@resultBuilder
package enum FieldBuilder<Root: Equatable & Sendable> {
    /// Takes one field.
    package static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }

    /// Takes several fields.
    package static func buildExpression(_ fields: [Field<Root>]) -> [Field<Root>] { fields }

    /// Takes all fields.
    package static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] { fields.flatMap(\.self) }
}
