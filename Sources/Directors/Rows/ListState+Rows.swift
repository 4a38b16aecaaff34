import JSONValues
import ListDiff
import Notation

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

    /// Performs an operation that brings rows in.
    mutating func applyToRowContent(_ operation: Operation, _ context: OperationContext) throws(DirectorError) {
        switch operation {
        case .setRows(let address, let drafts):
            let position = try content.position(address, of: .section, pointer: "/section")
            let section = content[position]
            let rows = try context.rows(drafts, pointer: "/rows")
            let checked = CheckedSection(
                identifier: section.identifier, attributes: section.attributes, elements: [], rows: rows)
            try replaceSection(at: position, with: checked, context)
        case .addRows(let address, let drafts, let place):
            let section = try content.position(address, of: .section, pointer: "/section")
            let present = try rows(inSectionAt: section)
            let position = try present.insertion(place, of: .row, pointer: "/at")
            try insert(try context.rows(drafts, pointer: "/rows"), at: position, in: section, context)
        case .setRow(let section, let address, let draft, let place):
            try setRow(section, address, draft, place, context)
        case .patchRow(let section, let address, let patch):
            let (section, position, current) = try row(at: address, in: section)
            let draft: RowDraft
            do {
                draft = try RowDraft(patch, of: current, within: context.limits)
            } catch {
                throw DirectorError(.refused(error.faults.map { $0.inside("/patch") }), pointer: "/patch")
            }
            var row = try context.row(draft, since: current, pointer: "/patch")
            if patch.document.root["elements"] == nil, row.settings.model.isVerbatim(current.settings.model) {
                row.elements = current.elements
            }
            try replaceRow(at: position, in: section, with: row, pointer: "/patch", context)
        default:
            break
        }
    }

    /// Performs an operation that removes rows or puts them elsewhere.
    mutating func applyToRowOrder(_ operation: Operation) throws(DirectorError) {
        switch operation {
        case .removeRow(let section, let address):
            let (section, position, _) = try row(at: address, in: section)
            changeRows(of: section) { $0.remove(at: position) }
        case .removeRows(let address, let addresses):
            let section = try content.position(address, of: .section, pointer: "/section")
            let positions = try rows(inSectionAt: section).positions(addresses, of: .row)
            changeRows(of: section) { $0.remove(at: positions) }
        case .removeAllRows(let address):
            let section = try content.position(address, of: .section, pointer: "/section")
            _ = try rows(inSectionAt: section)
            changeRows(of: section) { $0 = [] }
        case .moveRow(let section, let from, let to, let target):
            try moveRow(section, from, to, target)
        case .swapRows(let address, let one, let other):
            let section = try content.position(address, of: .section, pointer: "/section")
            let rows = try rows(inSectionAt: section)
            let first = try rows.movable(one, of: .row, pointer: "/at")
            let second = try rows.movable(other, of: .row, pointer: "/with")
            if first != second { changeRows(of: section) { $0.swapAt(first, second) } }
        default:
            break
        }
    }

    private mutating func changeRows(of section: Int, _ change: (inout PersistentList<Row>) -> Void) {
        changeSection(at: section) { $0.changeRows(change) }
    }

    private mutating func setRow(
        _ sectionAddress: Address, _ address: Address, _ draft: RowDraft, _ place: Address?,
        _ context: OperationContext
    ) throws(DirectorError) {
        let section = try content.position(sectionAddress, of: .section, pointer: "/section")
        let rows = try rows(inSectionAt: section)
        var draft = draft
        if case .identifier(let identifier) = address {
            if draft.values.identifier.isEmpty { draft.values.identifier = identifier }
            guard try rows.existing(address, of: .row, pointer: "/row") != nil else {
                guard draft.values.identifier.utf8.elementsEqual(identifier.utf8) else {
                    let detail = "the id is not the one that the row is addressed by, \(identifier.quoted)"
                    throw DirectorError(.refused([Fault(pointer: "/value/id", detail: detail)]), pointer: "/value/id")
                }
                let position = try rows.insertion(place, of: .row, pointer: "/at")
                return try insert([try context.row(draft, pointer: "/value")], at: position, in: section, context)
            }
        }
        let position = try rows.position(address, of: .row, pointer: "/row")
        if draft.values.identifier.isEmpty { draft.values.identifier = rows[position].identifier }
        let row = try context.row(draft, since: rows[position], pointer: "/value")
        try replaceRow(at: position, in: section, with: row, pointer: "/value", context)
    }

    private mutating func insert(
        _ added: [Row], at position: Int, in section: Int, _ context: OperationContext
    ) throws(DirectorError) {
        let present = try rows(inSectionAt: section)
        for row in added { try checkAbsence(of: row, in: present, pointer: "/rows") }
        let measure = content.measure
        try context.check(
            sections: content.count, elements: measure.elements + added.reduce(0) { $0 + $1.measure.elements },
            rows: measure.rows + added.count)
        changeRows(of: section) { $0.insert(contentsOf: added, at: position) }
    }

    private mutating func replaceRow(
        at position: Int, in section: Int, with row: Row, pointer: String, _ context: OperationContext
    ) throws(DirectorError) {
        let present = try rows(inSectionAt: section)
        let current = present[position]
        if row.differenceIdentifier != current.differenceIdentifier {
            try checkAbsence(of: row, in: present, pointer: pointer + "/id")
        }
        let measure = content.measure
        let elements = measure.elements - current.measure.elements + row.measure.elements
        try context.check(sections: content.count, elements: elements, rows: measure.rows)
        let replacement = row.adopting(current)
        guard !replacement.isUnchanged(since: current) else { return }
        changeRows(of: section) { $0.replace(at: position, with: replacement) }
    }

    private func checkAbsence(of row: Row, in rows: PersistentList<Row>, pointer: String) throws(DirectorError) {
        guard let position = rows.positions(of: row.identifier, limit: 1).first else { return }
        throw DirectorError(.rowExists(identifier: row.identifier, at: position), pointer: pointer)
    }

    private mutating func moveRow(
        _ sectionAddress: Address, _ from: Address, _ to: Address, _ toSection: Address?
    ) throws(DirectorError) {
        let source = try content.position(sectionAddress, of: .section, pointer: "/section")
        let rows = try rows(inSectionAt: source)
        let target =
            try toSection.map { address throws(DirectorError) in
                try content.position(address, of: .section, pointer: "/toSection")
            } ?? source
        let position = try rows.movable(from, of: .row, pointer: "/from")
        if target == source {
            let place = try rows.movable(to, of: .row, pointer: "/to")
            if place != position { changeRows(of: source) { $0.move(from: position, to: place) } }
            return
        }
        let others = try self.rows(inSectionAt: target)
        let place = try others.insertion(to, of: .row, pointer: "/to")
        let row = rows[position]
        try checkAbsence(of: row, in: others, pointer: "/from")
        changeRows(of: source) { $0.remove(at: position) }
        changeRows(of: target) { $0.insert(row, at: place) }
    }
}
