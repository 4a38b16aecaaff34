import ArgumentParser
import CallboardAPI
import CallboardClient
import CallboardServer
import Foundation
import Journal
import Logging
import Reactor
import ServiceLifecycle
import TLSEngine

/// `callboard serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a server.",
        discussion: """
            When the server is ready, it prints "listening on http://HOST:PORT" to
            standard output, and in a terminal the console's address. The log goes
            to standard error. SIGTERM and SIGINT (Ctrl-C) stop the server after the
            requests that it has begun.

            Settings come from flags, then from the environment
            (CALLBOARD_SERVER_PORT for "server.port", and so on), then from the
            file that --config or CALLBOARD_CONFIG names. --print-config shows
            every setting with its default.

            The server keeps its lists in a data folder, where they survive a
            restart, a kill and a power cut. The folder is "callboard-data" in the
            current folder unless --data names another. It has to be on a disk of
            this machine, and one server at a time has it open. "callboard backup"
            copies it, "callboard check" verifies it. With --data memory nothing is
            kept. With --journal-url a PostgreSQL database replaces the folder.

            By default the server accepts requests without a token and listens on
            127.0.0.1 only. With "auth.mode": "required" every request needs a token.
            The first start then writes one with all rights to the data folder
            (first-token); "callboard token create" makes others. The server listens
            on other addresses only in this mode, or with "auth.openToAll": true.

            Examples:
              callboard serve
              callboard serve --data /var/lib/callboard
              callboard serve --port 0 --data memory
              callboard serve --journal-url postgresql://callboard@db.example/lists
              callboard serve --print-config > callboard.json
              callboard serve --config callboard.json --check-config
              callboard serve --config callboard.json --log-level debug
              callboard serve --unix-socket /run/callboard.sock
              callboard serve --tls-certificate cert.pem --tls-key key.pem
            """)

    @Option(help: ArgumentHelp("The address to listen on (default: 127.0.0.1).", valueName: "ADDRESS"))
    var host: String?

    @Option(help: ArgumentHelp("The TCP port; 0 takes a free one (default: 8080).", valueName: "PORT"))
    var port: Int?

    @Option(help: ArgumentHelp("A Unix-domain socket to listen on as well.", valueName: "PATH"))
    var unixSocket: String?

    @Option(
        help: ArgumentHelp(
            "The users who may connect to that socket: owner, group or all (default: owner).", valueName: "WHO"))
    var unixSocketAccess: String?

    @Option(
        help: ArgumentHelp(
            "A certificate with its chain, PEM: the port then speaks TLS, and nothing else.", valueName: "FILE"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "FILE"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The folder that content is kept in, or \"memory\" (default: callboard-data).", valueName: "FOLDER"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database in place of the folder. Other users see the arguments of a program: a password is "
                + "better in CALLBOARD_JOURNAL_URL or in a file of libpq's.", valueName: "URL"))
    var journalUrl: String?

    @Option(help: ArgumentHelp("A settings file: JSON with comments.", valueName: "FILE"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical (default: info).", valueName: "LEVEL"))
    var logLevel: String?

    @Option(help: ArgumentHelp("text or json (default: text).", valueName: "FORMAT"))
    var logFormat: String?

    @Flag(
        help:
            "Start without damaged rows of notifications, tokens and answers to repeated requests: they are kept apart."
    )
    var setAside = false

    @Flag(help: "Print a settings file with every setting at its default, and exit.")
    var printConfig = false

    @Flag(
        help:
            "Only report all faults of settings, certificates and data folder, or print the settings in force; exit."
    )
    var checkConfig = false

    @Flag(help: "With --check-config: print the result as one JSON object.")
    var json = false

    func validate() throws {
        guard !json || checkConfig else { throw ValidationError("--json goes with --check-config") }
    }

    func run() async throws {
        try await Program.run {
            if printConfig {
                Output.text(SettingsExample.text)
                return .success
            }
            if checkConfig { return check(environment: ProcessInfo.processInfo.environment) }
            let loader = try loader(environment: ProcessInfo.processInfo.environment)
            var settings = try loader.load()
            settings.configuration.storage.setsAside = setAside
            let logger = Self.logger(settings)
            logger.info("starting", metadata: ["version": "\(Application.version)"])
            try await Self.serve(settings, logger: logger)
            return .success
        }
    }

    /// The loader of the settings: the flags override the environment, which overrides the file.
    func loader(environment: [String: String]) throws -> SettingsLoader {
        try Self.loader(flags: flags, config: config, environment: environment)
    }

    /// The values of the flags, by the key of the setting.
    var flags: [String: SettingValue] {
        var flags: [String: SettingValue] = [:]
        flags["server.host"] = host.map { .text($0) }
        flags["server.port"] = port.map { .integer($0) }
        flags["server.unixSocket"] = unixSocket.map { .text($0) }
        flags["server.unixSocketAccess"] = unixSocketAccess.map { .text($0) }
        flags["tls.certificate"] = tlsCertificate.map { .text($0) }
        flags["tls.key"] = tlsKey.map { .text($0) }
        flags["data"] = data.map { .text($0) }
        flags["journal.url"] = journalUrl.map { .text($0) }
        flags["log.level"] = logLevel.map { .text($0) }
        flags["log.format"] = logFormat.map { .text($0) }
        return flags
    }

    /// A loader with the settings file that a flag or the environment names.
    static func loader(
        flags: [String: SettingValue], config: String?, environment: [String: String]
    ) throws -> SettingsLoader {
        let file = try file(config: config, environment: environment)
        if let fault = file?.faults.first { throw fault }
        return SettingsLoader(flags: flags, environment: environment, file: file)
    }

    /// The settings file that a flag or the environment names; nil where neither does.
    ///
    /// - Throws: ``ProgramError`` where it cannot be read, or is no JSON object.
    static func file(config: String?, environment: [String: String]) throws -> SettingsFile? {
        let path = config ?? environment["CALLBOARD_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        return try path.map { path in
            try SettingsFile(
                examining: Program.read(path, maximumLength: 1 << 20, patience: InputFile.patience), path: path)
        }
    }

    private static func logger(_ settings: ServeSettings) -> Logger {
        var logger = Logger(label: "callboard") { label in
            switch settings.logFormat {
            case .text: TextLogHandler() as any LogHandler
            case .json: JSONLogHandler(label: label)
            }
        }
        logger.logLevel = settings.logLevel
        return logger
    }

    /// A server with what its data folder holds, which does not listen yet.
    static func open(_ settings: ServeSettings, logger: Logger) throws -> CallboardService {
        do {
            return try CallboardService.open(settings.configuration, logger: logger)
        } catch {
            throw fault(error, settings)
        }
    }

    private static func fault(_ error: any Error, _ settings: ServeSettings) -> any Error {
        switch error {
        case let error as JournalError:
            let storage = settings.configuration.storage
            return (storage.isDatabase ? DataFault.servingDatabase(storage.url) : .serving(storage.data))(error)
        case let error as TLSConfigurationError:
            return ProgramError("the certificates cannot be used", advice: "\(error)", status: .configuration)
        default:
            // A file that is to be written, such as the audit file.
            let fault = error as? SystemError
            return ProgramError(
                "cannot start: \(error)",
                advice: "see that this user may write what the settings name, and may open enough files",
                status: fault.map { $0.isOutOfDescriptors ? .temporary : .cannotCreate } ?? .software)
        }
    }

    /// The same; a node among several whose database is away waits for it, and answers meanwhile that it does.
    private static func openWaiting(_ settings: ServeSettings, logger: Logger) async throws -> CallboardService {
        guard settings.configuration.cluster.isOn else { return try open(settings, logger: logger) }
        var stop: (@Sendable () async -> Void)?
        var told: JournalError?
        while true {
            let result = Result { try CallboardService.open(settings.configuration, logger: logger) }
            guard case .failure(let error as JournalError) = result, case .unavailable = error else {
                await stop?()
                return try result.mapError { fault($0, settings) }.get()
            }
            if told != error { logger.error("the node waits for its database", metadata: ["reason": "\(error)"]) }
            told = error
            if stop == nil { stop = try? await WaitingNode.start(settings.configuration, logger: logger) }
            ServiceManager.tell("STATUS=Waiting for the database\nEXTEND_TIMEOUT_USEC=60000000")
            try await Task.sleep(for: .seconds(1))
        }
    }

    private static func serve(_ settings: ServeSettings, logger: Logger) async throws {
        let server = settings.configuration.server
        let access = settings.configuration.access
        if let fault = SettingsSurroundings.openness(of: settings.configuration) { throw fault }
        if access.mode == .none, !Loopback.holds(server) {
            logger.warning(
                "other machines can reach the server, which asks for no credential: every client can change everything",
                metadata: ["host": "\(server.host)"])
        }
        let service = try await openWaiting(settings, logger: logger)
        let lifecycle = ServerLifecycle(service: service, address: "\(server.host):\(server.port ?? 0)")
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: lifecycle, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}
