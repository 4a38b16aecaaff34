import ArgumentParser
import CallboardClient
import Foundation

/// The options of a command's credential.
struct CredentialOptions: ParsableArguments {
    /// The environment variable that a token comes from too.
    static let variable = "CALLBOARD_TOKEN"

    @Option(
        help: ArgumentHelp(
            """
            A token for the server. Other users of this machine see it in the list \
            of processes: --token-file or \(variable) is better.
            """, valueName: "TOKEN"))
    var token: SecretText?

    @Option(
        help: ArgumentHelp(
            """
            A file with a token, read again for each request and connection, so that \
            the token can be replaced (default: the token in \(variable)).
            """, valueName: "FILE"))
    var tokenFile: String?

    func validate() throws {
        guard token == nil || tokenFile == nil else {
            throw ValidationError("--token and --token-file do not go together: give one of them.")
        }
        guard tokenFile != "" else { throw ValidationError("--token-file takes the name of a file.") }
        if let token {
            do throws(ClientError) {
                _ = try Credential.token(token.text)
            } catch {
                throw ValidationError("--token: \(error).")
            }
        }
    }

    /// The credential: the option's, else the file's, else the environment's, else none.
    ///
    /// A variable that is empty counts as one that is not set.
    func credential(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Credential {
        if let token { return try Self.fixed(token.text, from: "--token") }
        if let tokenFile {
            let file = TokenFile(path: tokenFile)
            return .provider(keepsToken: false) { try file.read() }
        }
        guard let text = environment[Self.variable], !text.isEmpty else { return .none }
        return try Self.fixed(text, from: Self.variable)
    }

    private static func fixed(_ text: String, from origin: String) throws -> Credential {
        do throws(ClientError) {
            return try .token(text)
        } catch {
            throw ProgramError(
                "\(origin): \(error)", advice: "give a token as \"callboard token create\" prints it",
                status: .configuration)
        }
    }
}

/// An argument that is not to be printed.
struct SecretText: ExpressibleByArgument, CustomStringConvertible, CustomReflectable {
    let text: String

    init(argument: String) { text = argument }

    var description: String { "(secret)" }

    var customMirror: Mirror { Mirror(self, children: []) }
}
