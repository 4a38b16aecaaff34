extension Operation {
    /// The parts of one operation's JSON form.
    package struct Form: Hashable, Sendable {
        /// The operation's name, as `op` has it.
        package let name: String
        /// Its members besides `op`.
        package let members: [MemberDescription]

        /// The name of its schema in the document.
        var schemaName: String { name.prefix(1).uppercased() + name.dropFirst() + "Operation" }

        init(_ name: String, _ members: MemberDescription...) {
            self.name = name
            self.members = members
        }
    }

    /// The forms of all operations.
    package static let forms = [
        Form("setSections", .sections),
        Form("addSections", .sections, .insertionPlace),
        Form("setSection", .section, .value(.reference("SectionInput"))),
        Form("patchSection", .section, .patch(.reference("SectionInput"))),
        Form("removeSection", .section),
        Form("removeSections", .places),
        Form("removeAllSections"),
        Form("moveSection", .from, .to),
        Form("swapSections", .at, .with),
        Form("setElements", .section, .ofRow, .elements),
        Form("addElements", .newSection, .targetSection, .ofRow, .elements, .insertionPlace),
        Form("setElement", .section, .ofRow, .element, .value(.reference("ElementInput")), .insertionPlace),
        Form("patchElement", .section, .ofRow, .element, .patch(.any)),
        Form("removeElement", .section, .ofRow, .element),
        Form("removeElements", .section, .ofRow, .places),
        Form("removeAllElements", .section, .ofRow),
        Form("moveElement", .section, .ofRow, .from, .to, .toSection, .toRow),
        Form("swapElements", .section, .ofRow, .at, .with),
        Form("setRows", .section, .rows),
        Form("addRows", .section, .rows, .insertionPlace),
        Form("setRow", .section, .row, .value(.reference("RowInput")), .insertionPlace),
        Form("patchRow", .section, .row, .patch(.reference("RowPatch"))),
        Form("removeRow", .section, .row),
        Form("removeRows", .section, .places),
        Form("removeAllRows", .section),
        Form("moveRow", .section, .from, .to, .toSection),
        Form("swapRows", .section, .at, .with),
        Form("setVariable", .name("name"), .value(.any)),
        Form("removeVariable", .name("name")),
        Form("setAdapter", .name("model"), .value(.reference("CellAdapterInput"))),
        Form("removeAdapter", .name("model")),
    ]

    /// The names of the operations, as `op` has them.
    package static let names = forms.map(\.name)

    /// The schema of an operation of a batch.
    package static let schema = JSONSchema.tagged(
        by: "op", forms.map { JSONSchema.Variant(value: $0.name, schema: $0.schemaName) })

    /// The schemas of the operations, by the names that ``schema`` refers to.
    package static let schemas = forms.map { form in
        let op = MemberDescription("op", .constant(form.name), use: .required)
        return (name: form.schemaName, schema: JSONSchema.object([op] + form.members, side: .body))
    }

    /// The schema of the body of a request whose path says the operation, and the section where there is one.
    package static func bodySchema(of name: String) -> JSONSchema {
        let members = forms.first { $0.name == name }?.members ?? []
        return .object(members.filter { ![.section, .ofRow].contains($0) }, side: .body)
    }
}

extension MemberDescription {
    fileprivate static let section = place("section", "The section.")
    fileprivate static let element = place("element", "The element.")
    fileprivate static let from = place("from", "What is moved.")
    fileprivate static let to = place("to", "Where it stands afterwards.")
    fileprivate static let at = place("at", "The one.")
    fileprivate static let with = place("with", "The other.")
    fileprivate static let toSection = optional("toSection", "The section that it goes to; its own unless given.")
    fileprivate static let row = place("row", "The row.")
    fileprivate static let ofRow = optional(
        "row", "The model row whose elements are meant; the section's unless given.")
    fileprivate static let toRow = optional(
        "toRow", "The model row that it goes to; a section of elements unless given.")
    fileprivate static let insertionPlace = optional("at", "Where the first goes; at the end unless given.")
    fileprivate static let targetSection = optional("section", "The section; a new one unless given.")
    fileprivate static let newSection = MemberDescription(
        "newSection", .nullable(.string(minLength: 1, maxLength: IdentifierTemplate.maximumIdentifierLength)),
        "The identifier of the new section where no section is given.")
    fileprivate static let places = MemberDescription(
        "at", .array(.reference("Place")), use: .required, "What is removed.")
    fileprivate static let sections = MemberDescription(
        "sections", .array(.reference("SectionInput")), use: .required, "The sections in order.")
    fileprivate static let rows = MemberDescription(
        "rows", .array(.reference("RowInput")), use: .required, "The rows in order.")
    fileprivate static let elements = MemberDescription(
        "elements", .array(.reference("ElementInput")), use: .required, "The elements in order.")

    fileprivate static func place(_ name: String, _ summary: String) -> MemberDescription {
        MemberDescription(name, .reference("Place"), use: .required, summary)
    }

    fileprivate static func optional(_ name: String, _ summary: String) -> MemberDescription {
        MemberDescription(name, .nullable(.reference("Place")), summary)
    }

    fileprivate static func name(_ name: String) -> MemberDescription {
        MemberDescription(name, FieldType.name.bodySchema, use: .required)
    }

    fileprivate static func value(_ schema: JSONSchema) -> MemberDescription {
        MemberDescription("value", schema, use: .required, "The new value.")
    }

    fileprivate static func patch(_ schema: JSONSchema) -> MemberDescription {
        MemberDescription("patch", schema, use: .required, "A merge patch (RFC 7396).")
    }
}
