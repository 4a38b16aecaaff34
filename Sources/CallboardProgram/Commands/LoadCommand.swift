import ArgumentParser
import CallboardClient
import Foundation

/// `callboard load`.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load a file into a director.",
        discussion: """
            Reads records from FILE, or from standard input if it is "-", makes an
            element of each, and publishes the list. A missing director is made, and so
            is a missing adapter, whose template (--identifier) tells elements apart.
            The new list replaces the old one in one step: subscribers get the
            difference, and a load that is interrupted leaves the list as it was.

            If a record cannot be loaded, its place is reported and nothing changes;
            with --partial it is left out, and the exit status is 2. A file without
            records changes nothing unless --allow-empty is given. --max-removed limits
            how many elements a load may remove.

            With --row the records replace the elements of one model row in the section
            that --section names. The row has to exist; the rest of the director
            stays as it is.

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

              psql -c 'copy people to stdout csv header' | \\
                callboard load - --format csv --director people --types age:number
            """)

    @Argument(help: ArgumentHelp("The file to load; - is standard input.", valueName: "FILE"))
    var file: String

    @OptionGroup var server: ServerOption

    @OptionGroup(title: "Destination") var target: TargetOptions

    @OptionGroup(title: "How the file is read") var source: SourceOptions

    @OptionGroup(title: "Sections") var sections: SectionOptions

    @OptionGroup(title: "Bounds of removals") var bounds: BoundOptions

    @Flag(inversion: .prefixedNo, help: "Publish what was loaded.")
    var reload = true

    @Flag(help: "Keep what the director or the row holds and add the records after it.")
    var append = false

    @Flag(help: "Stay, and load the file again whenever it changes.")
    var watch = false

    @Option(
        help: ArgumentHelp("Does nothing any more: a list goes in one request.", valueName: "N", visibility: .hidden))
    var batch = 5000

    @Flag(help: "Print what was done as one JSON object, with every rejected record.")
    var json = false

    func validate() throws {
        guard batch >= 1 else { throw ValidationError("--batch takes a number from 1.") }
        guard !(watch && append) else {
            throw ValidationError("--watch and --append do not go together: every change would be added again.")
        }
        let isInput = file == "-" || file.hasPrefix("/dev/") || file.hasPrefix("/proc/")
        guard !(watch && isInput) else { throw ValidationError("--watch needs a file that can be read again.") }
        guard !isInput || target.director != nil else {
            throw ValidationError("\(file) has no name to call the director by; say it with --director.")
        }
        try bounds.validateBounds()
        try source.validate(file: file)
        try sections.validateTogether()
        guard sections.row == nil || target.kind == nil else {
            throw ValidationError("--kind is for new directors; with --row the director has to be there.")
        }
    }

    func run() async throws {
        try await Program.run(server: server.url) {
            try await Interruption.run {
                // A list is sent to the server that was named, and nowhere else.
                try await load(
                    over: URLSessionTransport(
                        trusting: try server.trust.authority(), followsRedirectsOfWrites: false))
            } onInterruption: {
                ProgramError(
                    "interrupted; \(list) has the list from before, or all of the new one",
                    advice: "load it again", status: .interrupted)
            }
        }
    }

    private var list: String { target.director.map { "\"\(TextWidth.printable($0))\"" } ?? "the director" }

    private func load(over transport: any ClientTransport) async throws -> ExitStatus {
        guard watch else { return try await load(try await loader(over: transport)) }
        let files = FileWatch(path: file)
        var stamp = files.stamp()
        var loader: Loader?
        while true {
            do {
                if loader == nil { loader = try await self.loader(over: transport) }
                if let loader { _ = try await load(loader) }
            } catch let error as ProgramError where loader != nil {
                // Half-written files are usual while somebody edits; the next change may be good again.
                Output.error("callboard: \(error)")
            } catch let error as ClientError where loader != nil {
                Output.error("callboard: \(ProgramError(error, server: server.url))")
            }
            stamp = try await files.change(from: stamp)
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
            defaultIdentifier: format == .emojiTest ? "{codePoints}" : "{id}", appends: append,
            bounds: bounds.bounds, row: row, reloads: reload)
    }

    /// Loads the file, and says what came of it.
    private func load(_ loader: Loader) async throws -> ExitStatus {
        let content = try content(fallback: loader.model)
        var loader = loader
        let bar = ProgressBar.onTerminal(loader.director.name)
        if let bar { loader.progress = { bar.show($0, of: $1) } }
        let summary: LoadSummary
        do {
            summary = try await loader.load(content)
        } catch let refused as RefusedLoad {
            bar?.clear()
            if json { Output.json(refused.summary.json.text) }
            for line in refused.summary.refusal(file: file) { Output.error(line) }
            return .dataError
        } catch {
            bar?.clear()
            throw error
        }
        bar?.clear()
        if json {
            Output.json(summary.json.text)
        } else {
            for line in summary.lines { Output.line(line) }
        }
        if let warning = summary.warning { Output.error("callboard: \(warning)") }
        return summary.status
    }

    private func content(fallback: String) throws -> LoadContent {
        let files = FileWatch(path: file)
        let stamp = files.stamp()
        let bytes = try Program.read(file)
        guard stamp == files.stamp() else {
            throw ProgramError(
                "\(TextWidth.printable(file)) has changed while it was read, and nothing was done with it",
                advice: "load it again once it is written", status: .temporary)
        }
        let loaded = try source.reader(file: file).read(bytes)
        if sections.row != nil, let section = sections.section { return LoadContent(loaded, section: section) }
        return LoadContent(
            loaded, rule: try sections.rule(), titles: try sections.titles(), titleField: sections.titleField,
            fallback: sections.section ?? fallback)
    }
}
