import ArgumentParser
import CallboardClient
import Foundation

/// Whose certificates a command trusts.
struct TrustOptions: ParsableArguments {
    /// The environment variable that the file is named by too.
    static let variable = "CALLBOARD_CA"

    @Option(
        name: .customLong("ca"),
        help: ArgumentHelp(
            """
            A file of the authority's certificate, PEM, to trust in the place of the \
            system's authorities (default: \(variable), else the system's). "callboard \
            certificate" writes one, authority.pem.
            """, valueName: "FILE"))
    var path: String?

    func validate() throws {
        guard path != "" else { throw ValidationError("--ca takes the name of a file.") }
    }

    /// The authority: the option's, else the environment's, else nil for the system's.
    ///
    /// A variable that is empty counts as one that is not set.
    func authority(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ProgramError) -> CertificateAuthority? {
        let variable = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
        guard let file = path ?? variable else { return nil }
        do {
            return try CertificateAuthority(file: file)
        } catch {
            throw ProgramError(
                "\(path == nil ? Self.variable : "--ca"): \(error)",
                advice: "name the PEM file of the authority that has issued the server's certificate; "
                    + "\"callboard certificate\" writes authority.pem",
                status: .configuration)
        }
    }
}
