import Synchronization

/// A bar that fills on one line of a terminal.
final class ProgressBar: Sendable {
    private let label: String
    private let width: Int
    private let write: @Sendable (String) -> Void
    private let last = Mutex("")

    /// - Parameter width: the columns of the terminal.
    init(label: String, width: Int, write: @escaping @Sendable (String) -> Void) {
        self.label = label
        self.width = width
        self.write = write
    }

    /// Shows how far it is; the same line twice is written once.
    func show(_ done: Int, of total: Int) {
        let line = Self.line(label: label, done: done, total: total, width: width)
        let isNew = last.withLock { last in
            defer { last = line }
            return last != line
        }
        if isNew { write("\r\(line)\u{1B}[K") }
    }

    /// Takes the bar away.
    func clear() { write("\r\u{1B}[K") }

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
