import CallboardClient
import Directors
import JSONValues

/// Operations on the command line: JSON, or `@` and the name of a file that holds it.
enum OperationsArgument {
    /// The longest text, in bytes: as long as a server lets an answer be unless it is told otherwise.
    static let maximumLength = 1 << 20

    /// Reads the operations: an array, or one of them by itself.
    static func read(_ argument: String) throws -> AnswerTemplate {
        let path = argument.hasPrefix("@") ? String(argument.dropFirst()) : nil
        let status = path == nil ? ExitStatus.usage : .dataError
        let bytes = try path.map { try Program.read($0) } ?? Array(argument.utf8)
        guard bytes.count <= maximumLength else {
            throw ProgramError(
                "--operations: \(path ?? "the argument") is longer than 1 MiB, as an answer may be",
                advice: "give fewer operations", status: status)
        }
        let json: JSON
        do throws(JSONParseError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw ProgramError(
                "--operations: \(path ?? "the argument") is not JSON: \(error)",
                advice: "it takes an array of operations, or @FILE with one", status: status)
        }
        switch json {
        case .array: return AnswerTemplate(json)
        case .object(let object) where object["op"] != nil: return AnswerTemplate([json])
        default:
            throw ProgramError(
                "--operations takes an array of operations",
                advice: #"try '[{"op": "removeElement", "section": "{section}", "element": "{element}"}]'"#,
                status: status)
        }
    }

    /// Why a server will not take the operations; nil where it will, or where that depends on the event.
    static func doubt(_ operations: AnswerTemplate) -> String? {
        // An identifier's name may stand wherever an identifier may; what a pointer leads to can be anything.
        guard !operations.json.text.contains("{/"),
            let document = try? JSONDocument(JSON.object(["operations": operations.json]).utf8)
        else { return nil }
        do throws(Directors.RepresentationError) {
            _ = try OperationBatch.decode(document.root)
            return nil
        } catch {
            return "a server will not take the operations: \(error)"
        }
    }
}
