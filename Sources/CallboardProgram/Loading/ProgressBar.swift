/// A bar that fills on one line of a terminal.
final class ProgressBar: Sendable {
    private let label: String
    private let width: Int
    private let status: StatusLine

    /// - Parameter width: the columns of the terminal.
    init(label: String, width: Int, write: @escaping @Sendable (String) -> Void) {
        self.label = label
        self.width = width
        status = StatusLine(write: write)
    }

    /// A bar on standard error; nil where nobody is looking at it.
    static func onTerminal(_ label: String) -> ProgressBar? {
        guard Terminal.isTerminal(.error) else { return nil }
        return ProgressBar(label: label, width: Terminal.size.columns) { Output.errorScreen($0) }
    }

    /// Shows how far it is; the same line twice is written once.
    func show(_ done: Int, of total: Int) {
        status.show(Self.line(label: label, done: done, total: total, width: width))
    }

    /// Takes the bar away.
    func clear() { status.clear() }

    static func line(label: String, done: Int, total: Int, width: Int) -> String {
        let numbers = " \(Count.grouped(done))/\(Count.grouped(total))"
        let label = TextWidth.fit(TextWidth.printable(label), max(8, width / 3))
        let room = width - TextWidth.columns(of: label) - numbers.count - 4
        guard room >= 4 else { return TextWidth.fit(numbers, width - 1) }
        let filled = total > 0 ? min(room, room * done / total) : room
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "\(label) [\(bar)]\(numbers)"
    }
}
