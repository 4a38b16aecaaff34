import JSONValues
import ListDiff
import Notation

/// The rows of the section at a position.
struct RowLevel: ListLevel {
    let section: Int

    static var member: DirectorError.Member { .row }

    /// Finds the section, which need not have rows yet.
    init(_ section: Address, in state: ListState) throws(DirectorError) {
        self.section = try state.content.position(section, of: .section, pointer: "/section")
    }

    func list(in state: ListState) throws(DirectorError) -> PersistentList<Row> {
        try state.rows(inSectionAt: section)
    }

    func change(_ state: inout ListState, _ change: (inout PersistentList<Row>) -> Void) {
        state.changeSection(at: section) { $0.changeRows(change) }
    }

    func isSame(as other: RowLevel) -> Bool { section == other.section }

    func set(_ drafts: [RowDraft], in state: inout ListState, _ context: OperationContext) throws(DirectorError) {
        let current = state.content[section]
        let checked = CheckedSection(
            identifier: current.identifier, attributes: current.attributes, elements: [],
            rows: try context.rows(drafts, pointer: "/rows"))
        try state.replaceSection(at: section, with: checked, context)
    }

    func make(_ drafts: [RowDraft], for _: ListState, _ context: OperationContext) throws(DirectorError) -> [Row] {
        try context.rows(drafts, pointer: "/rows")
    }

    func check(adding rows: [Row], to state: ListState, _ context: OperationContext) throws(DirectorError) {
        for row in rows { try check(absent: row, in: state, pointer: "/rows") }
        let measure = state.content.measure
        try context.check(
            sections: state.content.count, elements: rows.reduce(measure.elements) { $0 + $1.measure.elements },
            rows: measure.rows + rows.count)
    }

    func check(putting _: RowDraft, at _: Address, in _: ListState, _: OperationContext) {}

    func make(
        new draft: RowDraft, named identifier: String, for _: ListState, _ context: OperationContext
    ) throws(DirectorError) -> Row {
        let draft = draft.named(identifier)
        guard draft.values.identifier.isVerbatim(identifier) else {
            throw DirectorError(
                refusing: "the id has to be \(identifier.quoted), by which the row is addressed", at: "/value/id")
        }
        return try context.row(draft, pointer: "/value")
    }

    func replace(
        _ current: Row, at position: Int, with draft: RowDraft, in state: inout ListState, _ context: OperationContext
    ) throws(DirectorError) {
        let row = try context.row(draft.named(current.identifier), since: current, pointer: "/value")
        try replace(current, at: position, with: row, pointer: "/value", in: &state, context)
    }

    func patch(
        _ current: Row, at position: Int, with patch: ValueDraft, in state: inout ListState, _ context: OperationContext
    ) throws(DirectorError) {
        let draft = try patched { () throws(RepresentationError) in
            try RowDraft(patch.value, of: current, within: context.limits)
        }
        var row = try context.row(draft, since: current, pointer: "/patch")
        if patch.value.document.root["elements"] == nil, row.settings.model.isVerbatim(current.settings.model) {
            row.elements = current.elements
        }
        try replace(current, at: position, with: row, pointer: "/patch", in: &state, context)
    }

    func target(_ section: Address, in state: ListState) throws(DirectorError) -> RowLevel {
        do {
            return try RowLevel(section, in: state)
        } catch {
            throw error.movingPointers(from: "/section", to: "/toSection")
        }
    }

    func check(moving row: Row, to state: ListState) throws(DirectorError) {
        try check(absent: row, in: state, pointer: "/from")
    }

    private func replace(
        _ current: Row, at position: Int, with row: Row, pointer: String, in state: inout ListState,
        _ context: OperationContext
    ) throws(DirectorError) {
        if row.differenceIdentifier != current.differenceIdentifier {
            try check(absent: row, in: state, pointer: pointer + "/id")
        }
        let measure = state.content.measure
        let elements = measure.elements - current.measure.elements + row.measure.elements
        try context.check(sections: state.content.count, elements: elements, rows: measure.rows)
        let replacement = row.adopting(current)
        guard !replacement.isUnchanged(since: current) else { return }
        change(&state) { $0.replace(at: position, with: replacement) }
    }

    private func check(absent row: Row, in state: ListState, pointer: String) throws(DirectorError) {
        guard let position = try list(in: state).positions(of: row.identifier, limit: 1).first else { return }
        throw DirectorError(.rowExists(identifier: row.identifier, at: position), pointer: pointer)
    }
}

extension RowDraft {
    /// The draft with an identifier where it has none.
    fileprivate func named(_ identifier: String) -> RowDraft {
        guard values.identifier.isEmpty else { return self }
        var draft = self
        draft.values.identifier = identifier
        return draft
    }
}

extension ListState {
    /// Finds a row to read.
    ///
    /// - Complexity: O(log *s* + log *r*) in the numbers of sections and of the section's rows.
    /// - Throws: That there is no such section or row, or that the section has elements.
    package func row(
        at address: Address, in section: Address
    ) throws(DirectorError) -> (section: Int, position: Int, row: Row) {
        let section = try content.position(section, of: .section, pointer: "/section")
        let place = try row(at: address, inSectionAt: section)
        return (section, place.position, place.row)
    }

    func row(at address: Address, inSectionAt section: Int) throws(DirectorError) -> (position: Int, row: Row) {
        let rows = try rows(inSectionAt: section)
        let position = try rows.position(address, of: .row, pointer: "/row")
        return (position, rows[position])
    }

    /// The rows of a section of rows.
    package func rows(inSectionAt section: Int) throws(DirectorError) -> PersistentList<Row> {
        guard let rows = content[section].rows else {
            throw DirectorError(.noRows(section: section), pointer: "/section")
        }
        return rows
    }
}
