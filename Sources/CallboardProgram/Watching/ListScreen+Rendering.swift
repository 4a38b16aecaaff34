import CallboardClient

extension ListScreen {
    /// The window's content, at most `size.rows` rows, none wider than `size.columns`.
    func render(_ size: Terminal.Size, color: Bool) -> [String] {
        let room = max(0, size.rows - frameRows)
        let widths = widths
        let lines = lines(widths)
        let visible = lines.dropFirst(min(top, lines.count)).prefix(room)
        let state = query.isEmpty ? state : "\(state); \(query)"
        var rows = [title(size.columns, color), TextWidth.fit(state, size.columns)]
        if let heading = form.heading(widths) { rows.append(TextWidth.fit("    \(heading)", size.columns)) }
        rows += visible.map { row($0, size.columns, color) }
        rows += Array(repeating: "", count: room - visible.count)
        rows.append(TextWidth.fit(position(lines.count, visible.count) + notice, size.columns))
        return Array(rows.prefix(size.rows))
    }

    /// The whole list as lines of a text, with its name above, and without marks.
    var page: [String] {
        let widths = widths
        return [query.isEmpty ? title : "\(title)  \(query)"] + (form.heading(widths).map { ["  \($0)"] } ?? [])
            + lines(widths).map { $0.isHeading ? $0.text : "  \($0.text)" }
    }

    private var title: String {
        guard let list else { return "callboard" }
        let name = TextWidth.printable(list.definition.name)
        let counts = "\(Count.of(list.counts.sections, "section")), \(Count.of(list.counts.elements, "element"))"
        let totals = TotalsText.whole(list.totals)
        return "\(name)  version \(list.version)  \(counts)\(totals.isEmpty ? "" : "  ")\(totals)"
    }

    private func title(_ columns: Int, _ color: Bool) -> String {
        let text = TextWidth.fit(title, columns)
        return color && list != nil ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    /// Which part of the list is in view, where it is not the whole.
    private func position(_ count: Int, _ visible: Int) -> String {
        guard visible < count else { return "" }
        let below = count - top - visible
        return "rows \(Count.grouped(top + 1))-\(Count.grouped(top + visible)) of \(Count.grouped(count)), "
            + "\(Count.grouped(top)) above, \(Count.grouped(below)) below  "
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
