import CallboardClient
import Foundation
import Notation

/// The model row that a file's records go into.
struct LoadRow: Sendable, Equatable {
    let section: String
    let row: String
    /// The model of the row's elements.
    let model: String

    /// Reads a row of a director and checks that it takes records.
    ///
    /// - Parameters:
    ///   - model: the model that was asked for; nil takes the row's.
    ///   - server: the server's address, for the commands in the error.
    /// - Throws: `ProgramError` where the director, the section or the row is missing, with the commands that make what is
    ///   missing, and where the row is constant or of another model.
    static func find(
        _ row: String, in section: String, of director: RemoteDirector, model: String?, server: String
    ) async throws -> LoadRow {
        let found: RemoteRow
        do {
            found = try await director.row(.identifier(row), in: .identifier(section), elements: false).value
        } catch let error as ClientError where error.status == 404 {
            let missing = Missing(
                director: director.name, section: section, row: row, model: model ?? "Item", server: server)
            guard try await exists({ try await director.describe() }) else { throw missing.directorError }
            let address = ListAddress.identifier(section)
            guard try await exists({ try await director.section(address, elements: false) }) else {
                throw missing.sectionError
            }
            throw missing.rowError
        }
        guard let own = found.model else {
            throw ProgramError(
                "the row \"\(row)\" is constant: it shows one value and takes no records",
                advice: "name a row of the type \"model\" with --row", status: .usage)
        }
        if let model, !model.isVerbatim(own) {
            throw ProgramError(
                "the row \"\(row)\" shows \"\(own)\", not \"\(model)\"", advice: "leave --model out", status: .usage)
        }
        return LoadRow(section: section, row: row, model: own)
    }

    /// Whether a read finds anything.
    private static func exists<Value>(_ read: () async throws -> Value) async throws -> Bool {
        do {
            _ = try await read()
            return true
        } catch let error as ClientError where error.status == 404 {
            return false
        }
    }
}

/// The message about a missing row.
private struct Missing {
    let director: String
    let section: String
    let row: String
    let model: String
    let server: String

    private var draft: RowDraft { .model(model) }

    private var sectionCommand: String {
        var draft = draft
        draft.id = row
        return command(to: ["sections", section], .object(["rows": .array([draft.json])]))
    }

    var directorError: ProgramError {
        ProgramError(
            "there is no director \"\(director)\", so no row \"\(row)\" to load into",
            advice: "make all three first:\n" + command(to: [], ["kind": "table"]) + "\n" + sectionCommand,
            status: .noInput)
    }

    var sectionError: ProgramError {
        ProgramError(
            "\"\(director)\" has no section \"\(section)\", so no row \"\(row)\" to load into",
            advice: "make both first:\n" + sectionCommand, status: .noInput)
    }

    var rowError: ProgramError {
        ProgramError(
            "the section \"\(section)\" of \"\(director)\" has no row \"\(row)\"",
            advice: "make it first:\n" + command(to: ["sections", section, "rows", row], draft.json),
            status: .noInput)
    }

    /// A command for a shell that sends a PUT.
    private func command(to path: [String], _ body: JSON) -> String {
        let segments = (["directors", director] + path).enumerated().map { position, segment in
            // Sections and rows are addresses, in which a leading @ is doubled.
            let text = position > 2 && position % 2 == 1 ? ListAddress.identifier(segment).text : segment
            return text.addingPercentEncoding(withAllowedCharacters: Self.allowed) ?? text
        }
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        let url = "\(base)/v1/\(segments.joined(separator: "/"))"
        let quoted = body.text.replacing("'", with: #"'\''"#)
        return "    curl -X PUT '\(url)' --json '\(quoted)'"
    }

    /// The characters that stand unescaped in a path segment (RFC 3986, section 3.3), without the quote that ends a
    /// word in a shell.
    private static let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/'"))
}
