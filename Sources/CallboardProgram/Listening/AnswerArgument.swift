import ArgumentParser
import CallboardClient
import Directors
import JSONValues

/// An answer on the command line: `rowHeight=44`, `'willSelect=[0,1]'`, `deleteConfirmTitle=Remove`.
struct AnswerArgument: Sendable, Equatable {
    let event: String
    let value: AnswerTemplate

    /// Reads `EVENT=VALUE`. The value is JSON, or else a text as it stands.
    init(_ argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ProgramError("it takes an event and a value, such as rowHeight=44", status: .usage)
        }
        event = String(parts[0])
        guard try EventNames.known(event).answerType != nil else {
            throw ProgramError(
                "\(event) is a notification, not a question; use --operations and --reload to react to it",
                status: .usage)
        }
        value = AnswerTemplate(try Self.value(String(parts[1])))
    }

    private static func value(_ text: String) throws -> JSON {
        do throws(JSONParseError) {
            return try JSON(parsing: text)
        } catch {
            // A bare word is a text; what begins as JSON does was meant as such.
            guard ["[", "\"", "{\"", "{ ", "{}"].contains(where: text.hasPrefix) else { return .string(text) }
            throw ProgramError("the value is not JSON: \(error)", status: .usage)
        }
    }

    /// Why a server will not take the value; nil where it will, or where that depends on the event.
    ///
    /// It is no error: a bad answer is one of the things to be tried.
    var doubt: String? {
        guard !value.hasNames, let type = EventNames.event(event)?.answerType,
            let document = try? JSONDocument(value.json.utf8)
        else { return nil }
        do throws(Directors.RepresentationError) {
            _ = try type.check(document.root)
            return nil
        } catch {
            return "\(event) is answered with \(type.phrase), so a server will not take \(value.json): \(error)"
        }
    }
}
