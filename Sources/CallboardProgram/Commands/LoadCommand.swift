import ArgumentParser
import CallboardClient
import Foundation

/// `callboard load`.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load a file into a director.",
        discussion: """
            Reads records from FILE, makes an element of each, and publishes the
            list. The director and the adapter that says what tells elements apart
            are made where they are missing. What the director held is replaced, so
            loading a changed file again sends subscribers just the difference.

            With --row the records become the elements of a model row of the section
            that --section names. The row has to be there; its elements are replaced,
            and the rest of the director stays.

            A record that cannot be loaded is left out and reported with its place;
            the exit status is then 2.

            Examples:
              callboard load contacts.csv --identifier '{email}'

              callboard load events.ndjson --director events --section-field day --watch

              cd /usr/share/iso-codes/json
              callboard load iso_3166-2.json --director countries \\
                --identifier '{code}' \\
                --section-field code --section-separator - \\
                --titles iso_3166-1.json \\
                --titles-key alpha_2 --titles-value name

              callboard load /usr/share/unicode/emoji/emoji-test.txt --director emoji

              callboard load people.csv --director app --section settings --row people
            """)

    @Argument(help: ArgumentHelp("The file to load.", valueName: "FILE"))
    var file: String

    @OptionGroup var server: ServerOption

    @OptionGroup(title: "Where it goes") var target: TargetOptions

    @OptionGroup(title: "How the file is read") var source: SourceOptions

    @OptionGroup(title: "Sections") var sections: SectionOptions

    @Flag(inversion: .prefixedNo, help: "Publish what was loaded.")
    var reload = true

    @Flag(help: "Keep what the director or the row holds and add the records after it.")
    var append = false

    @Flag(help: "Stay, and load the file again whenever it changes.")
    var watch = false

    @Option(help: ArgumentHelp("The most records in one request.", valueName: "N"))
    var batch = 5000

    @Flag(help: "Print what was done as one JSON object, with every rejected record.")
    var json = false

    func validate() throws {
        guard batch >= 1 else { throw ValidationError("--batch takes a number from 1.") }
        guard !(watch && append) else {
            throw ValidationError("--watch and --append do not go together: every change would be added again.")
        }
        try source.validate(file: file)
        try sections.validateTogether()
        guard sections.row == nil || target.kind == nil else {
            throw ValidationError("--kind is for new directors; with --row the director has to be there.")
        }
    }

    func run() async throws {
        try await Program.run(server: server.url) {
            guard let authority = try server.trust.authority() else {
                return try await BatchTransport.run { try await load(over: $0) }
            }
            return try await load(over: URLSessionTransport(trusting: authority))
        }
    }

    private func load(over transport: any ClientTransport) async throws -> ExitStatus {
        let loader = try await loader(over: transport)
        guard watch else { return try await load(loader).status }
        let files = FileWatch(path: file)
        var stamp = files.stamp()
        _ = try await load(loader)
        while true {
            stamp = try await files.change(from: stamp)
            do {
                _ = try await load(loader)
            } catch let error as ProgramError {
                // Half-written files are usual while somebody edits; the next change may be good again.
                Output.error("callboard: \(error)")
            } catch let error as ClientError {
                Output.error("callboard: \(ProgramError(error, server: server.url))")
            }
        }
    }

    private func loader(over transport: any ClientTransport) async throws -> Loader {
        let format = try source.resolvedFormat(file: file)
        let name = target.director ?? URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let director = try server.connect(over: transport).director(name)
        let row = try await sections.row(of: director, model: target.model, server: server.url)
        let model = target.model ?? row?.model ?? (format == .emojiTest ? "Emoji" : "Item")
        return Loader(
            director: director,
            kind: target.kind.map { .init(rawValue: $0.rawValue) },
            model: model, cell: target.cell ?? "\(model)Cell", identifier: target.identifier,
            defaultIdentifier: format == .emojiTest ? "{codePoints}" : "{id}",
            plan: LoadPlan(recordsPerBatch: batch, appends: append, row: row?.row), row: row, reloads: reload)
    }

    private func load(_ loader: Loader) async throws -> LoadSummary {
        let content = try content(fallback: loader.model)
        var loader = loader
        let bar = ProgressBar.onTerminal(loader.director.name)
        if let bar { loader.progress = { bar.show($0, of: $1) } }
        let summary: LoadSummary
        do {
            summary = try await loader.load(content)
        } catch {
            bar?.clear()
            throw error
        }
        bar?.clear()
        if json { Output.json(summary.json.text) } else { Output.line(summary.lines.joined(separator: "\n")) }
        return summary
    }

    private func content(fallback: String) throws -> LoadContent {
        let loaded = try source.reader(file: file).read(Program.read(file))
        if sections.row != nil, let section = sections.section { return LoadContent(loaded, section: section) }
        return LoadContent(
            loaded, rule: try sections.rule(), titles: try sections.titles(), fallback: sections.section ?? fallback)
    }
}
