import ArgumentParser
import CallboardClient

/// `callboard directors`.
struct DirectorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "directors",
        abstract: "List the directors of a server.",
        discussion: """
            A director is a named list. Each line shows its name, its kind, its size,
            the version that subscribers see, and the revision that the next reload
            will publish.

            Examples:
              callboard directors
              callboard directors --json | jq -r .name
            """)

    @OptionGroup var server: ServerOption

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() async throws {
        try await Program.run(server: server.url) {
            let directors = try await server.connect().allDirectors()
            if json {
                for director in directors { Output.json(DirectorTable.json(director)) }
            } else {
                for line in DirectorTable.lines(directors) { Output.line(line) }
            }
            return .success
        }
    }
}

/// The list of directors as lines.
enum DirectorTable {
    /// A table with a heading, or a sentence where there is nothing to show.
    static func lines(_ directors: [DirectorDescription]) -> [String] {
        guard !directors.isEmpty else { return ["no directors yet; make one with \"callboard load\""] }
        let heading = ["NAME", "KIND", "SECTIONS", "ELEMENTS", "VERSION", "REVISION"]
        let rows = directors.map { director in
            [
                TextWidth.printable(director.name), director.kind.rawValue,
                director.counts.map { String($0.sections) } ?? "-", director.counts.map { String($0.elements) } ?? "-",
                String(director.version), String(director.revision),
            ]
        }
        let table = [heading] + rows
        let widths = heading.indices.map { column in table.map { TextWidth.columns(of: $0[column]) }.max() ?? 0 }
        return table.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - TextWidth.columns(of: cell.0))
                return column < 2 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }
    }

    /// A director as a JSON object on one line.
    static func json(_ director: DirectorDescription) -> String {
        var object: JSONObject = [
            "name": .string(director.name), "kind": .string(director.kind.rawValue),
            "revision": .number(JSONNumber(director.revision)), "version": .number(JSONNumber(director.version)),
            "epoch": .string(director.epoch), "properties": .object(director.properties),
        ]
        if let counts = director.counts {
            object["counts"] = [
                "sections": .number(JSONNumber(counts.sections)), "elements": .number(JSONNumber(counts.elements)),
            ]
        }
        return JSON.object(object).text
    }
}
