import ArgumentParser
import CallboardAPI
import CallboardServer
import Foundation
import HTTPClient
import TLSEngine

/// `callboard health`.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask the server of this machine whether it lives, for a health check.",
        discussion: """
            Asks for /livez at the address that "callboard serve" listens on with
            the same environment, --config, --host and --port. The certificate need
            not be for that address. If the server requires certificates of clients,
            asking for one counts as an answer.

            Exit status: 0 it lives, 69 it does not answer, 78 a setting is wrong.

            Examples:
              callboard health
              callboard health --config /etc/callboard/callboard.json
            """)

    @Option(help: ArgumentHelp("The address that the server listens on, as of serve.", valueName: "ADDRESS"))
    var host: String?

    @Option(help: ArgumentHelp("The TCP port, as of serve.", valueName: "PORT"))
    var port: Int?

    @Option(help: ArgumentHelp("The server's settings file.", valueName: "FILE"))
    var config: String?

    @Option(help: ArgumentHelp("The longest time for the answer.", valueName: "SECONDS"))
    var timeout = 2.0

    func validate() throws {
        guard timeout > 0, timeout <= 3600 else { throw ValidationError("--timeout takes seconds, up to 3600") }
    }

    func run() async throws {
        try await Program.run {
            var serve = try ServeCommand.parse([])
            (serve.host, serve.port, serve.config) = (host, port, config)
            let settings = try serve.loader(environment: ProcessInfo.processInfo.environment).load()
            try Self.ask(settings.configuration, within: .seconds(timeout))
            return .success
        }
    }

    /// Asks the server that these settings are of.
    ///
    /// - Throws: ``ProgramError`` if the server does not answer `/livez` with 200. If the settings require clients'
    ///   certificates, a handshake that the server refuses counts as an answer.
    static func ask(_ configuration: CallboardConfiguration, within timeout: Duration) throws(ProgramError) {
        let url = try url(configuration)
        let sighting = CertificateSighting()
        let probe = Probe(
            of: url, hook: TLSContextHook(sighting.use), timeout: timeout, version: Application.version)
        if let status = probe.status {
            guard status == 200 else {
                throw ProgramError(
                    "\(url) has answered \(status)", advice: "see the server's log, and what else listens there",
                    status: .unavailable)
            }
            return
        }
        let asksForCertificates =
            configuration.tls.clientCertificates == .required && !configuration.tls.clientAuthority.isEmpty
        // A server that wants a certificate sends its own, and ends the connection without an answer.
        guard asksForCertificates, sighting.hasCome, !probe.isLate else {
            throw ProgramError(
                "no answer from \(url): \(probe.failure)",
                advice: "start the server with \"callboard serve\", or give --host, --port or --config that it has",
                status: .unavailable)
        }
    }

    /// The URL of `/livez` on this machine. A server that listens on all addresses is asked at 127.0.0.1.
    private static func url(_ configuration: CallboardConfiguration) throws(ProgramError) -> String {
        let server = configuration.server
        guard let port = server.port, port != 0 else {
            throw ProgramError(
                "server.port is 0, so the server has taken a port that nobody knows", advice: "give it one",
                status: .configuration)
        }
        let isEvery = ["", "*", "0.0.0.0", "::"].contains(server.host)
        let host = isEvery ? "127.0.0.1" : server.host.contains(":") ? "[\(server.host)]" : server.host
        return "\(configuration.tls.isOn ? "https" : "http")://\(host):\(port)/livez"
    }
}
