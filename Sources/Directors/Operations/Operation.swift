import JSONValues

/// One change to a director's working state: a call of FlowKit's, or a request of the API, as a value.
///
/// Most operations are edits of one list; ``ListEdit`` has their verbs. Indirect, so that a copy is one reference: an
/// operation is handed on a dozen times before it is stored.
package indirect enum Operation: Equatable, Sendable {
    /// Edits the list of sections.
    case sections(ListEdit<SectionDraft>)
    /// Edits the rows of a section.
    case rows(of: Address, ListEdit<RowDraft>)
    /// Edits the elements of a section or of a model row.
    case elements(of: ElementOwner, ListEdit<ElementDraft>)
    /// Adds elements to a new section at the end (`add(elements:inSection:)`); the place is one in an empty list.
    case newSection(identifier: String, [ElementDraft], at: Address? = nil)

    /// Sets a variable, which `hideWhen` and generators read.
    case setVariable(name: String, value: JSONValue)
    /// Removes a variable.
    case removeVariable(name: String)

    /// Registers a cell adapter (`registerCellAdapter`), so that an identifier can change together with the content that
    /// it is read from.
    case setAdapter(CellAdapter)
    /// Removes a model's cell adapter, and its hooks.
    case removeAdapter(model: String)
}

/// The kinds of operations: edits of a list, of which elements that are added make a section where none is named, and others.
package enum OperationVerb: Hashable, Sendable {
    case sections(ListVerb)
    case elements(ListVerb)
    case rows(ListVerb)
    case other(Other)

    /// The operations that are no edits of a list, named as their cases of ``Operation`` and as `op` has them.
    package enum Other: String, CaseIterable, Sendable {
        case setVariable, removeVariable, setAdapter, removeAdapter
    }
}

extension OperationVerb: CaseIterable {
    /// All verbs, in the order in which errors and the API's description list them.
    package static let allCases: [OperationVerb] =
        ListVerb.allCases.map(sections) + ListVerb.allCases.map(elements) + ListVerb.allCases.map(rows)
        + Other.allCases.map(other)

    /// The operation's name, as `op` has it.
    package var name: String {
        switch self {
        case .sections(let verb): SectionDraft.verbNames[verb.rawValue]
        case .elements(let verb): ElementDraft.verbNames[verb.rawValue]
        case .rows(let verb): RowDraft.verbNames[verb.rawValue]
        case .other(let verb): verb.rawValue
        }
    }
}

extension Operation {
    /// The kind of operation.
    package var verb: OperationVerb {
        switch self {
        case .sections(let edit): .sections(edit.verb)
        case .rows(_, let edit): .rows(edit.verb)
        case .elements(_, let edit): .elements(edit.verb)
        case .newSection: .elements(.add)
        case .setVariable: .other(.setVariable)
        case .removeVariable: .other(.removeVariable)
        case .setAdapter: .other(.setAdapter)
        case .removeAdapter: .other(.removeAdapter)
        }
    }

    /// The operation with identifiers for what it brings in; nil where it needs none.
    fileprivate var resolved: Operation? {
        switch self {
        case .sections(let edit): edit.resolved.map { .sections($0) }
        case .rows(let section, let edit): edit.resolved.map { .rows(of: section, $0) }
        case .elements, .newSection, .setVariable, .removeVariable, .setAdapter, .removeAdapter: nil
        }
    }
}

extension [Operation] {
    /// The operations with a random identifier for each section and row that they bring in without one.
    ///
    /// Performing resolved operations on equal states gives equal states, each time: what is to be performed again
    /// later, from a journal for example, is resolved first. Operations that were read from JSON are already. A section
    /// that replaces another without an identifier of its own keeps that one's, and needs none.
    package var resolved: [Operation] {
        var resolved = self
        for position in indices {
            if let operation = self[position].resolved { resolved[position] = operation }
        }
        return resolved
    }
}

/// The section or the model row whose elements an operation is about.
package struct ElementOwner: Hashable, Sendable {
    /// The section.
    package let section: Address
    /// The row in a section of rows; nil for the section's own elements.
    package let row: Address?

    /// Names a section, or a row of it.
    package init(section: Address, row: Address? = nil) {
        self.section = section
        self.row = row
    }

    /// A section with elements of its own.
    package static func section(_ section: Address) -> ElementOwner { ElementOwner(section: section) }

    /// A model row.
    package static func row(section: Address, row: Address) -> ElementOwner { ElementOwner(section: section, row: row) }
}
