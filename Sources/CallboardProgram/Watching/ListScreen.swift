import CallboardClient
import ListDiff

/// A live list as the lines of a terminal's window.
struct ListScreen: Sendable, Equatable {
    /// A line with its mark.
    struct Line: Sendable, Equatable {
        let text: String
        var mark: Mark?
        var isHeading = false
    }

    /// What a row shows.
    let form: RowForm
    /// The selection in words; empty for the whole list.
    let query: String
    /// The list; nil until the first snapshot.
    var list: RemoteList?
    /// What the last change did.
    var marks = ListMarks()
    /// How the connection is doing.
    var state = "connecting"
    /// What happened last.
    var notice = ""
    /// The first row of the list that is in view.
    private(set) var top = 0
    /// The rows of the last change, which stay in view; nil before there was one.
    private var focus: ClosedRange<Int>?

    /// A window without a list, or with one that nothing has happened to.
    init(form: RowForm = .summary, query: String = "", list: RemoteList? = nil) {
        self.form = form
        self.query = query
        self.list = list
    }

    /// Takes over a list with the marks of the change that led to it, and brings the change into view.
    mutating func show(_ list: RemoteList, _ marks: ListMarks, rows: Int) {
        self.list = list
        self.marks = marks
        let lines = lines
        if let first = lines.firstIndex(where: { $0.mark != nil }) {
            focus = first...(lines.lastIndex { $0.mark != nil } ?? first)
        }
        scroll(rows: rows)
    }

    /// Lets the marks of the last change fade. Rows that are gone make room, and the same part of the list stays in view.
    mutating func clearMarks(rows: Int) {
        let gone = marks.ghosts.count + marks.ghostSections.count
        focus = focus.map { $0.lowerBound...max($0.lowerBound, $0.upperBound - gone) }
        marks = ListMarks()
        scroll(rows: rows)
    }

    /// Scrolls as a key says. The last change is left behind: the window stays where the key brought it, until the next one.
    mutating func scroll(_ key: WatchKey, rows: Int) {
        let room = room(rows)
        focus = nil
        switch key {
        case .up: top -= 1
        case .down: top += 1
        // A row of the page before stays in view.
        case .pageUp: top -= max(1, room - 1)
        case .pageDown: top += max(1, room - 1)
        case .home: top = 0
        case .end: top = lineCount
        case .quit: break
        }
        top = max(0, top)
        scroll(rows: rows)
    }

    /// Brings the last change into view, in a window of so many rows, and leaves no room below the list while there is more
    /// above.
    mutating func scroll(rows: Int) {
        let room = room(rows)
        if let focus, focus.lowerBound < top || focus.upperBound >= top + room {
            top = max(0, focus.lowerBound - min(3, room / 4))
        }
        top = min(top, max(0, lineCount - room))
    }

    /// The rows for the list in a window of so many rows.
    private func room(_ rows: Int) -> Int { max(1, rows - frameRows) }

    /// The rows around the list: a title, the state, the names of columns, and what happened last.
    var frameRows: Int { if case .columns = form { 4 } else { 3 } }

    private var lineCount: Int {
        let rows = list?.sections.reduce(0) { $0 + 1 + $1.elements.count } ?? 0
        return rows + marks.ghosts.count + marks.ghostSections.count
    }

    /// All lines of the list, whatever fits the window.
    var lines: [Line] { lines(widths) }

    /// The widths of the columns.
    var widths: [Int] {
        guard case .columns = form else { return [] }
        let elements = list?.sections.lazy.flatMap(\.elements)
        return form.widths(of: (elements.map(Array.init) ?? []) + marks.ghosts.map(\.element))
    }

    /// All lines, with columns of these widths.
    func lines(_ widths: [Int]) -> [Line] {
        guard let list else { return [] }
        let previews = RowPreviews(list.definition)
        func text(_ element: RemoteElement) -> String { form.text(element, previews, widths: widths) }
        var ghosts = Dictionary(grouping: marks.ghosts, by: \.section)
        var lines: [Line] = []
        for (position, section) in list.sections.enumerated() {
            let mark = marks.sections[position]
            let source = marks.sources.indices.contains(position) ? marks.sources[position] : position
            lines.append(Line(text: heading(section), mark: mark, isHeading: true))
            let gone = source.flatMap { ghosts.removeValue(forKey: $0) } ?? []
            let leavers = source.flatMap { marks.leavers[$0] } ?? []
            lines += rows(of: section, at: position, ghosts: gone, leavers, text)
        }
        lines += marks.ghostSections.map { Line(text: heading($0), mark: .deleted, isHeading: true) }
        return lines
    }

    private func heading(_ section: RemoteSection) -> String {
        let totals = list.map { TotalsText.section(section.id, $0.totals) } ?? ""
        return
            "\(ElementText.summary(section)) (\(Count.grouped(section.elements.count)))\(totals.isEmpty ? "" : "  ")\(totals)"
    }

    private func rows(
        of section: RemoteSection, at position: Int, ghosts: [ListMarks.Ghost], _ leavers: Set<Int>,
        _ text: (RemoteElement) -> String
    ) -> [Line] {
        var lines: [Line] = []
        var ghosts = ghosts[...]
        // The rows of the old list that are above: all of them, and those that are not gone.
        var above = (all: 0, kept: 0)
        for (row, element) in section.elements.enumerated() {
            while true {
                if let ghost = ghosts.first, ghost.position <= above.all {
                    lines.append(Line(text: text(ghost.element), mark: .deleted))
                    ghosts = ghosts.dropFirst()
                } else if leavers.contains(above.kept) {
                    above.kept += 1
                } else {
                    break
                }
                above.all += 1
            }
            let mark = marks.elements[ElementPath(section: position, element: row)]
            // A row that came from elsewhere was not here.
            if mark != .inserted, mark != .moved {
                above.all += 1
                above.kept += 1
            }
            lines.append(Line(text: text(element), mark: mark))
        }
        return lines + ghosts.map { Line(text: text($0.element), mark: .deleted) }
    }
}
