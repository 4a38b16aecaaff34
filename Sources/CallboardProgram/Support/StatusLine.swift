import Synchronization

/// A line of a terminal that is written again and again.
final class StatusLine: Sendable {
    private let write: @Sendable (String) -> Void
    private let last = Mutex("")

    init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// A line on standard error; nil where nobody is looking at it.
    static func onTerminal() -> StatusLine? {
        Terminal.isTerminal(.error) ? StatusLine { Output.errorScreen($0) } : nil
    }

    /// Shows a text in place of the one before; the same text twice is written once.
    func show(_ text: String) {
        let isNew = last.withLock { last in
            defer { last = text }
            return last != text
        }
        if isNew { write("\r\(text)\u{1B}[K") }
    }

    /// Takes the line away.
    func clear() { write("\r\u{1B}[K") }
}
