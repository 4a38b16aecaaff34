import CallboardClient

/// Shows a live list in a terminal's window, and gives the window back as it was.
actor ScreenView {
    private var screen: ListScreen
    private let color: Bool
    private let size: @Sendable () -> Terminal.Size
    private let write: @Sendable (String) -> Void
    private var keys = KeyInput()
    private var isOpen = false
    /// Counts the changes shown, so that marks fade only where no later change has set new ones.
    private var generation = 0

    init(
        form: RowForm = .summary, query: String = "", color: Bool, size: @escaping @Sendable () -> Terminal.Size,
        write: @escaping @Sendable (String) -> Void
    ) {
        screen = ListScreen(form: form, query: query)
        self.color = color
        self.size = size
        self.write = write
    }

    /// Takes the window over: the alternate screen, without a cursor, and the keyboard. In the background, the process stops
    /// until it is brought to the foreground, and `open()` is to be called again.
    func open() {
        guard Terminal.isForeground else { return stop() }
        // Whoever stopped the process may have changed the settings, also while the window is open.
        keys.take()
        write((isOpen ? "" : "\u{1B}[?1049h") + "\u{1B}[?25l")
        isOpen = true
        draw()
    }

    /// Gives the window back.
    func close() {
        guard isOpen else { return }
        isOpen = false
        write("\u{1B}[?25h\u{1B}[?1049l")
        keys.giveBack()
    }

    /// Gives the window back and stops the process.
    func stop() {
        close()
        Terminal.stop()
    }

    /// Scrolls as keys say, and draws the window once.
    func scroll(_ keys: [WatchKey]) {
        for key in keys { screen.scroll(key, rows: size().rows) }
        draw()
    }

    /// Shows an update; returns what `fade(_:)` takes once the marks have been seen.
    func show(_ update: LiveList.Update) -> Int {
        switch update {
        case .replaced(let list, _):
            screen.show(list, ListMarks(), rows: size().rows)
        case .changed(let list, let changeset):
            let old = screen.list?.sections ?? []
            screen.show(list, ListMarks(changeset, from: old, to: list.sections), rows: size().rows)
        case .redefined(let list): screen.list = list
        case .connection(.open): screen.state = "connected"
        case .connection: screen.state = WatchEvent.sentence(update)
        case .heartbeat, .resumed, .refresh, .scroll, .resynchronizing, .ended: break
        }
        switch update {
        case .connection: break
        case .changed, .replaced:
            generation += 1
            screen.notice = WatchEvent.sentence(update)
        default: screen.notice = WatchEvent.sentence(update)
        }
        draw()
        return generation
    }

    /// Lets the marks of an update fade, unless something newer is shown.
    func fade(_ generation: Int) {
        guard generation == self.generation else { return }
        screen.clearMarks(rows: size().rows)
        draw()
    }

    /// Draws the window again, as after a change of its size.
    func draw() {
        guard isOpen else { return }
        let size = size()
        // The window may have another size than it had at the last change.
        screen.scroll(rows: size.rows)
        let rows = screen.render(size, color: color)
        // Each row clears what is right of it, so nothing flickers.
        write("\u{1B}[H" + rows.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }
}
