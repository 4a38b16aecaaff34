import ArgumentParser

/// `callboard cluster`.
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Operate a PostgreSQL database of one server or of several nodes.",
        subcommands: [UpgradeCommand.self, NewEpochsCommand.self])
}
