import ArgumentParser
import CallboardClient
import Foundation

/// Which server a command talks to, which authority vouches for it, and with which credential.
struct ServerOption: ParsableArguments {
    @Option(
        name: .customLong("server"),
        help: ArgumentHelp(
            "The server's address (default: CALLBOARD_SERVER, else http://127.0.0.1:8080).", valueName: "URL"))
    var address: String?

    @OptionGroup var trust: TrustOptions

    @OptionGroup var credentials: CredentialOptions

    /// The address in force: the option's, else the environment's, else the default.
    var url: String {
        address ?? ProcessInfo.processInfo.environment["CALLBOARD_SERVER"] ?? "http://127.0.0.1:8080"
    }

    /// A client over a transport, or else over one that trusts what the options say.
    func connect(over transport: (any ClientTransport)? = nil) throws -> Callboard {
        let transport = try transport ?? URLSessionTransport(trusting: trust.authority())
        let configuration = Callboard.Configuration(credential: try credentials.credential())
        return try Callboard(server: url, transport: transport, configuration: configuration)
    }
}
