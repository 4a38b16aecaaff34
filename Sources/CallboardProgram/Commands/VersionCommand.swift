import ArgumentParser
import CallboardAPI

/// `callboard version`.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print the version and exit.")

    func run() { Output.line("callboard \(Application.version)") }
}
