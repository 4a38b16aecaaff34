import JSONLogic
import JSONValues
import ListDiff

@testable import Directors

/// What a working state is to show, found as plainly as it can be written: each expression is read anew for each element
/// and evaluated on data that were written as one text.
struct NaiveRows {
    /// A section that is shown.
    struct Shown: Equatable {
        let id: String
        /// Its published form.
        let text: String
        /// The row of each element; nil in a section of elements.
        let rows: [String?]
    }

    private(set) var sections: [Shown] = []
    /// The pointers of the expressions that have no value, or none that fits.
    private(set) var failures: [String] = []

    private let variables: String

    init(_ director: Director) {
        let members = director.working.variables.sorted { $0.key < $1.key }.map {
            "\(NaiveRows.quoted($0.key.text)):\($0.value.text)"
        }
        variables = "{\(members.joined(separator: ","))}"
        for (position, section) in director.working.list.sections.enumerated() {
            guard let rows = section.rows else {
                add(section, section.list.map { element in (text { element.encode(to: &$0) }, nil) })
                continue
            }
            var (elements, hidden): ([(String, String?)], Int) = ([], 0)
            for (index, row) in rows.enumerated() {
                let shown = show(row, of: section, "/sections/\(position)/rows/\(index)")
                hidden += shown == nil ? 1 : 0
                elements += (shown ?? []).map { ($0, row.identifier) }
            }
            if rows.isEmpty || hidden < rows.count { add(section, elements) }
        }
    }

    /// The index paths of a row's elements.
    func indexPaths(_ section: String, _ row: String) -> [ElementPath] {
        sections.enumerated().filter { $0.element.id == section }.flatMap { position, section in
            section.rows.indices.filter { section.rows[$0] == row }.map { ElementPath(section: position, element: $0) }
        }
    }

    private mutating func add(_ section: Section, _ elements: [(text: String, row: String?)]) {
        let shown = section.attributes.isCollapsed ? [] : elements
        let start = text { section.encode(to: &$0, includingElements: false) }.dropLast()
        let form = "\(start),\"elements\":[\(shown.map(\.text).joined(separator: ","))]}"
        sections.append(Shown(id: section.identifier, text: form, rows: shown.map(\.row)))
    }

    /// The elements that a row shows; nil where it is hidden.
    private mutating func show(_ row: Row, of section: Section, _ pointer: String) -> [String]? {
        let says = row.settings
        let whole = RowView(says, section, variables, "null", "null", pointer)
        var early = whole
        if !whole.asksEach(says.hideWhen), early.isHidden() { return note(early, nil) }
        // What reads no element is asked once, and also where there is no element.
        _ = early.members { !whole.asksEach($0) }
        guard early.failures.isEmpty else { return note(early, []) }
        if says.kind == .constant {
            let value = says.value?.text ?? "null"
            return note(early, [early.element(NaiveRows.quoted(says.identifier), says.cell ?? "", nil, nil, value)])
        }
        var shown: [String] = []
        for (index, element) in row.elements.enumerated() {
            var view = RowView(says, section, variables, element.value.text, "\(index)", pointer)
            let isHidden = view.isHidden()
            if !isHidden {
                let adapter = element.adapter
                shown.append(
                    view.element(
                        NaiveRows.quoted(element.identifier), adapter.cell, adapter.reuseIdentifier, adapter.model,
                        element.value.text))
            }
            failures += view.failures
        }
        return row.elements.isEmpty || !shown.isEmpty ? shown : nil
    }

    private mutating func note(_ view: RowView, _ shown: [String]?) -> [String]? {
        failures += view.failures
        return shown
    }

    static func quoted(_ string: String) -> String {
        text { $0.string(string) }
    }
}
