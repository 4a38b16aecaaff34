extension Operation {
    /// The parts of one operation's JSON form.
    package struct Form: Hashable, Sendable {
        /// The operation's name, as `op` has it.
        package let name: String
        /// Its members besides `op`.
        package let members: [MemberDescription]

        /// The name of its schema in the document.
        var schemaName: String { name.prefix(1).uppercased() + name.dropFirst() + "Operation" }
    }

    /// The operation's name, as `op` has it.
    package var name: String { verb.name }

    /// The names of the operations, as `op` has them.
    package static let names = OperationVerb.allCases.map { $0.name }

    /// The kinds of operations by their names.
    static let verbs = Dictionary(uniqueKeysWithValues: zip(names, OperationVerb.allCases))

    /// The forms of all operations.
    package static let forms = OperationVerb.allCases.map { verb in
        Form(name: verb.name, members: OperationReader.describing { _ = read(verb, &$0, &$1) })
    }

    /// The schema of an operation of a batch.
    package static let schema = JSONSchema.tagged(
        by: "op", forms.map { JSONSchema.Variant(value: $0.name, schema: $0.schemaName) })

    /// The schemas of the operations, by the names that ``schema`` refers to.
    package static let schemas = forms.map { form in
        let op = MemberDescription("op", .constant(form.name), use: .required)
        return (name: form.schemaName, schema: JSONSchema.object([op] + form.members, side: .body))
    }

    /// The schema of the body of a request whose path says the verb and the list.
    package static func bodySchema(of verb: ListVerb, _ list: EditedList) -> JSONSchema {
        .object(OperationReader.describing { _ = read(verb, of: list, &$0, &$1) }, side: .body)
    }
}
