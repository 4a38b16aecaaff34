import ArgumentParser
import CallboardClient
import Foundation
import UnixSignals

/// `callboard watch`.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch a director's list change.",
        discussion: """
            In a terminal the list fills the window, and marks show each change:
            + inserted, ~ updated, > moved, - deleted. If the list is longer than the
            window, the window follows the last change, with the number of rows above
            and below. These keys scroll; the next change moves the window again:
              Up k, Down j          a row
              Page Up, Page Down    a window
              Home g, End G         to the first row, to the last
              q, Ctrl-C             leave
              Ctrl-Z                stop, until the shell's "fg"
            With --log, or if standard output is not a terminal, each change and each
            of its operations is one line; = marks an element whose new value its cell
            does not show. Elements of rows are followed by the row, its cell and its
            height.

            The list is built from the server's changesets and checked against the
            counts that come with them. A lost connection is made again and resumes
            where it was, also after a proxy, a router or a portal has answered in
            the server's place. The log reports each cause once, --json each attempt.

            If the list does not exist yet, the command waits for it. With --once it
            prints the list as it is now; the exit status is 66 if there is no such
            list, and 69 if the server does not answer.

            Each row shows an identifier and what its adapter's preview makes of the
            value, or a title, or the members that --columns or --template name. A
            name may be a JSON pointer, such as /address/city. The totals of a view
            stand in the title and at its sections.

            Examples:
              callboard watch contacts
              callboard watch contacts --columns name,age
              callboard watch contacts --template '{firstName} {lastName}'
              callboard watch contacts --once --columns email
              callboard watch contacts --log
              callboard watch contacts --json | jq -c .changeset.stages
              callboard watch orders --where '{"!": {"var": "value.done"}}' \\
                --sort -value.placedAt --first 50
              callboard watch grill --parameter station=bar
            """)

    @Argument(help: ArgumentHelp("The director's name.", valueName: "DIRECTOR"))
    var director: String

    @OptionGroup var server: ServerOption

    @Flag(help: "Write a log, even in a terminal.")
    var log = false

    @Flag(help: "Write one JSON object a line for each event.")
    var json = false

    @Flag(help: "Print the list as it is now, and leave.")
    var once = false

    @Option(
        help: ArgumentHelp("Show these members of each value, in columns; commas between them.", valueName: "NAMES"),
        transform: RowColumns.init)
    var columns: RowColumns?

    @Option(
        help: ArgumentHelp(
            "Show members of each value in a text, such as '{firstName} {lastName}'.", valueName: "TEMPLATE"),
        transform: RowTemplate.init)
    var template: RowTemplate?

    @OptionGroup var selection: SelectionOptions

    @Option(help: ArgumentHelp("Leave after so many changesets.", valueName: "N"))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        guard !(once && limit != nil) else {
            throw ValidationError("--once and --limit do not go together: it leaves before the first change.")
        }
        guard columns == nil || template == nil else {
            throw ValidationError("--columns and --template do not go together: each says what a row shows.")
        }
        guard !json || form == .summary else {
            throw ValidationError("--json has every member; --columns and --template are for people.")
        }
    }

    /// What a row shows.
    var form: RowForm { columns.map { .columns($0) } ?? template.map { .template($0) } ?? .summary }

    func run() async throws {
        try await Program.run(server: server.url) {
            let director = try server.connect().director(director)
            let presence = ListPresence(director: director, selection: selection.selection, server: server.url)
            if once {
                Self.print(try await presence.snapshot(), form, selection.words, json: json)
                return .success
            }
            try await presence.wait()
            let isOver = try await follow(director.list(selecting: selection.selection))
            if isOver { Output.error("callboard: \"\(director.name)\" is not on the server any more") }
            return .success
        }
    }

    /// Follows the list; true where it came to its end, false where somebody left or there have been enough changesets.
    private func follow(_ list: LiveList) async throws -> Bool {
        do {
            return json || log || !Terminal.isTerminal(.output)
                ? try await follow(list, WatchLog(style: json ? .json : .plain, form: form)) : try await show(list)
        } catch let error as ClientError where error.problem?.isMissing == true {
            // It was deleted after it was found, while there was no stream to say so.
            return true
        }
    }

    /// Prints a list as it is.
    private static func print(_ list: RemoteList, _ form: RowForm, _ query: String, json: Bool) {
        if json {
            Output.json(WatchEvent.json(.replaced(list, reset: nil)).text)
        } else {
            Output.line(ListScreen(form: form, query: query, list: list).page.joined(separator: "\n"))
        }
    }

    /// Writes a log; true where the list came to its end, false where there have been enough changesets.
    private func follow(_ list: LiveList, _ log: WatchLog) async throws -> Bool {
        var log = log
        var changesets = 0
        for try await update in list {
            for line in log.lines(for: update) { if json { Output.json(line) } else { Output.line(line) } }
            if case .changed = update { changesets += 1 }
            if changesets == limit { return false }
        }
        return true
    }

    /// Shows the list in the window; true where it came to its end, false where somebody left.
    private func show(_ list: LiveList) async throws -> Bool {
        let view = ScreenView(
            form: form, query: selection.words, color: Terminal.wantsColor, size: { Terminal.size },
            write: { Output.screen($0) })
        let limit = limit
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigquit, .sigwinch, .sigcont)
        let suspensions = Interruption.signals(SIGTSTP)
        await view.open()
        let result = await withTaskGroup(of: Result<Bool, any Error>?.self) { group in
            group.addTask { await Self.feed(view, from: list, limit: limit) }
            group.addTask {
                for await signal in signals {
                    switch signal {
                    case .sigwinch: await view.draw()
                    case .sigcont: await view.open()
                    default: return .success(false)
                    }
                }
                return nil
            }
            group.addTask {
                for await _ in suspensions {
                    await view.stop()
                    // Where it could not be stopped, nobody continues it.
                    kill(getpid(), SIGCONT)
                }
                return nil
            }
            group.addTask {
                for await keys in KeyInput.keys() {
                    guard !keys.contains(.quit) else { return .success(false) }
                    await view.scroll(keys)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let result = await group.next() {
                if let result { return result }
            }
            return .success(false)
        }
        await view.close()
        return try result.get()
    }

    /// How long a change stays marked.
    private static let markTime = Duration.seconds(4)

    private static func feed(_ view: ScreenView, from list: LiveList, limit: Int?) async -> Result<Bool, any Error> {
        var changesets = 0
        var fading: Task<Void, any Error>?
        defer { fading?.cancel() }
        do {
            for try await update in list {
                let generation = await view.show(update)
                guard case .changed = update else { continue }
                fading?.cancel()
                fading = Task {
                    try await Task.sleep(for: markTime)
                    await view.fade(generation)
                }
                changesets += 1
                if changesets == limit { return .success(false) }
            }
            return .success(true)
        } catch {
            return .failure(error)
        }
    }
}
