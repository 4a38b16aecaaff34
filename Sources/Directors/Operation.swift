import JSONValues

/// One change to a director's working state: a call of FlowKit's, or a request of the API, as a value.
///
/// A place in an operation is an `Address` on the state after the operation before. As the target of an insert a
/// position goes from zero to the count, an identifier stands for the place before the one it names, and `last` for the
/// end; as the target of a move it is the place that the item has afterwards.
///
/// Indirect, so that a copy is one reference: an operation is handed on a dozen times before it is stored.
package indirect enum Operation: Equatable, Sendable {
    /// Puts these sections in place of all (`set(sections:)`).
    case setSections([SectionDraft])
    /// Inserts sections, at the end where no place is said (`add(sections:at:)`).
    case addSections([SectionDraft], at: Address?)
    /// Replaces a section with its elements; one that is named by an identifier and not there is added at the end.
    case setSection(Address, SectionDraft)
    /// Applies a merge patch to a section's JSON form; its elements stay unless the patch has them.
    case patchSection(Address, patch: JSONValue)
    /// Removes a section (`remove(section:)`).
    case removeSection(Address)
    /// Removes several sections (`remove(sectionsAt:)`).
    case removeSections(at: [Address])
    /// Removes every section (`removeAll`).
    case removeAllSections
    /// Moves a section (`move(from:to:)`).
    case moveSection(from: Address, to: Address)
    /// Exchanges two sections (`move(swappingAt:with:)`).
    case swapSections(at: Address, with: Address)

    // Where an operation on elements names a row, it is about the elements of that model row.

    /// Puts these elements in place of all of a section (`set(elements:)`).
    case setElements(section: Address, row: Address? = nil, [ElementDraft])
    /// Inserts elements, at the end where no place is said (`add(elements:at:)`, `add(elements:inSection:)`).
    case addElements(ElementTarget, [ElementDraft], at: Address?)
    /// Replaces an element (`set(element:at:)`). If the address is an identifier that no element has, and the value has
    /// it, the element is added at the place, or at the end without one. The place of an element that is there stays.
    case setElement(section: Address, row: Address? = nil, element: Address, ElementDraft, at: Address? = nil)
    /// Applies a merge patch to an element's value.
    case patchElement(section: Address, row: Address? = nil, element: Address, patch: ValueDraft)
    /// Removes an element (`remove(at:)`).
    case removeElement(section: Address, row: Address? = nil, element: Address)
    /// Removes several elements of a section (`remove(atIndexes:)`).
    case removeElements(section: Address, row: Address? = nil, at: [Address])
    /// Removes every element of a section (`removeAll`).
    case removeAllElements(section: Address, row: Address? = nil)
    /// Moves an element in its section or row or, where a target is said, into that one (`move(from:to:)`).
    ///
    /// Without `toSection`, `toRow` is a row of the same section; without `toRow`, `toSection` is a section of elements.
    case moveElement(
        section: Address, row: Address? = nil, from: Address, to: Address, toSection: Address? = nil,
        toRow: Address? = nil)
    /// Exchanges two elements of a section (`move(swappingAt:with:)`).
    case swapElements(section: Address, row: Address? = nil, at: Address, with: Address)

    /// Puts these rows in place of all that a section holds, its elements too.
    case setRows(section: Address, [RowDraft])
    /// Inserts rows, at the end where no place is said.
    case addRows(section: Address, [RowDraft], at: Address? = nil)
    /// Replaces a row with its elements; one that is named by an identifier and not there is added, at the end where no
    /// place is said. The place counts for nothing where the row is there.
    case setRow(section: Address, row: Address, RowDraft, at: Address? = nil)
    /// Applies a merge patch to a row's JSON form; its elements stay unless the patch has them.
    case patchRow(section: Address, row: Address, patch: JSONValue)
    /// Removes a row.
    case removeRow(section: Address, row: Address)
    /// Removes several rows of a section.
    case removeRows(section: Address, at: [Address])
    /// Removes every row of a section; it stays a section of rows.
    case removeAllRows(section: Address)
    /// Moves a row in its section or, where `toSection` is said, into that section of rows.
    case moveRow(section: Address, from: Address, to: Address, toSection: Address? = nil)
    /// Exchanges two rows of a section.
    case swapRows(section: Address, at: Address, with: Address)

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

extension [Operation] {
    /// The operations with a random identifier for each section and row that they bring in without one.
    ///
    /// Performing resolved operations on equal states gives equal states, each time: what is to be performed again
    /// later, from a journal for example, is resolved first. Operations that were read from JSON are already. A section
    /// that replaces another without an identifier of its own keeps that one's, and needs none.
    package var resolved: [Operation] {
        var resolved = self
        for position in indices {
            if let operation = self[position].withIdentifiers { resolved[position] = operation }
        }
        return resolved
    }
}

extension Operation {
    /// The operation with identifiers for what it brings in; nil where it brings in no sections or rows.
    fileprivate var withIdentifiers: Operation? {
        switch self {
        case .setSections(let drafts): .setSections(drafts.map(\.resolved))
        case .addSections(let drafts, let place): .addSections(drafts.map(\.resolved), at: place)
        case .setSection(let section, let draft): .setSection(section, draft.resolvingRows)
        case .patchSection(let section, let patch): .patchSection(section, patch: SectionPatch.resolvingRows(patch))
        case .setRows(let section, let drafts): .setRows(section: section, drafts.map(\.resolved))
        case .addRows(let section, let drafts, let place):
            .addRows(section: section, drafts.map(\.resolved), at: place)
        case .setRow, .patchRow, .removeSection, .removeSections, .removeAllSections, .moveSection, .swapSections,
            .setElements, .addElements, .setElement, .patchElement, .removeElement, .removeElements,
            .removeAllElements, .moveElement, .swapElements, .removeRow, .removeRows, .removeAllRows, .moveRow,
            .swapRows, .setVariable, .removeVariable, .setAdapter, .removeAdapter:
            nil
        }
    }
}

/// Where elements are added.
package enum ElementTarget: Hashable, Sendable {
    /// To a section that is there.
    case section(Address)
    /// To a model row that is there.
    case row(section: Address, row: Address)
    /// To a new section of this identifier at the end.
    case newSection(identifier: String)
}
