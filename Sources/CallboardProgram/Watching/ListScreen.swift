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

    /// Takes over a list with the marks of the change that led to it, and brings the change into view.
    mutating func show(_ list: RemoteList, _ marks: ListMarks, rows: Int) {
        self.list = list
        self.marks = marks
        let lines = lines
        let room = max(1, rows - ListScreen.frameRows)
        if let first = lines.firstIndex(where: { $0.mark != nil }) {
            let last = lines.lastIndex { $0.mark != nil } ?? first
            if first < top || last >= top + room { top = max(0, first - min(3, room / 4)) }
        }
        top = min(top, max(0, lines.count - room))
    }

    /// Lets the marks of the last change fade.
    mutating func clearMarks() { marks = ListMarks() }

    /// The rows around the list: a title, the state, and what happened last.
    private static let frameRows = 3

    /// All lines of the list, whatever fits the window.
    var lines: [Line] {
        guard let list else { return [] }
        var ghosts = Dictionary(grouping: marks.ghosts, by: \.section)
        var lines: [Line] = []
        for (position, section) in list.sections.enumerated() {
            let mark = marks.sections[position]
            let source = marks.sources.indices.contains(position) ? marks.sources[position] : position
            lines.append(Line(text: heading(section), mark: mark, isHeading: true))
            lines += rows(of: section, at: position, ghosts: source.flatMap { ghosts.removeValue(forKey: $0) } ?? [])
        }
        lines += marks.ghostSections.map { Line(text: heading($0), mark: .deleted, isHeading: true) }
        return lines
    }

    private func heading(_ section: RemoteSection) -> String {
        "\(ElementText.summary(section)) (\(Count.grouped(section.elements.count)))"
    }

    private func rows(of section: RemoteSection, at position: Int, ghosts: [ListMarks.Ghost]) -> [Line] {
        var lines: [Line] = []
        var ghosts = ghosts[...]
        for (row, element) in section.elements.enumerated() {
            while let ghost = ghosts.first, ghost.position <= row {
                lines.append(Line(text: ElementText.summary(ghost.element), mark: .deleted))
                ghosts = ghosts.dropFirst()
            }
            let mark = marks.elements[ElementPath(section: position, element: row)]
            lines.append(Line(text: ElementText.summary(element), mark: mark))
        }
        return lines + ghosts.map { Line(text: ElementText.summary($0.element), mark: .deleted) }
    }

    /// The window's content, at most `size.rows` rows, none wider than `size.columns`.
    func render(_ size: Terminal.Size, color: Bool) -> [String] {
        let room = max(0, size.rows - ListScreen.frameRows)
        let lines = lines
        let visible = lines.dropFirst(min(top, lines.count)).prefix(room)
        var rows = [title(size.columns, color), TextWidth.fit(state, size.columns)]
        rows += visible.map { row($0, size.columns, color) }
        rows += Array(repeating: "", count: room - visible.count)
        rows.append(TextWidth.fit(position(lines.count, visible.count) + notice, size.columns))
        return Array(rows.prefix(size.rows))
    }

    private func title(_ columns: Int, _ color: Bool) -> String {
        guard let list else { return TextWidth.fit("callboard", columns) }
        let name = TextWidth.printable(list.definition.name)
        let counts = "\(Count.of(list.counts.sections, "section")), \(Count.of(list.counts.elements, "element"))"
        let text = TextWidth.fit("\(name)  version \(list.version)  \(counts)", columns)
        return color ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    private func position(_ count: Int, _ visible: Int) -> String {
        guard visible < count else { return "" }
        return "rows \(Count.grouped(top + 1))-\(Count.grouped(top + visible)) of \(Count.grouped(count))  "
    }

    private func row(_ line: Line, _ columns: Int, _ color: Bool) -> String {
        let indent = line.isHeading ? "" : "  "
        let text = TextWidth.fit("\(line.mark.map { String($0.rawValue) } ?? " ") \(indent)\(line.text)", columns)
        guard color, let style = Self.style(line) else { return text }
        return "\u{1B}[\(style)m\(text)\u{1B}[0m"
    }

    private static func style(_ line: Line) -> String? {
        switch line.mark {
        case .inserted: "32"
        case .updated: "33"
        case .moved: "36"
        case .deleted: "31;9"
        case nil: line.isHeading ? "1" : nil
        }
    }
}
