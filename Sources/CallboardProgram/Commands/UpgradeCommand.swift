import ArgumentParser
import Journal
import JournalPostgres

/// `callboard cluster upgrade`.
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "End the time in which nodes of two versions share a database.",
        discussion: """
            As long as a node of an earlier version may run, newer nodes store only
            what that node can read, and refuse all other changes. Run this command
            once every node runs the new version: nodes then accept those changes as
            well. They keep running meanwhile, and notice within a second. Afterwards
            the database refuses earlier versions, so only a backup leads back.

            A server that has its database for itself does this when it starts.

            Exit status: 0 done, or done before; 69 the database cannot be reached,
            78 it cannot be used, because a node of an earlier version runs, which
            is named, or there is no journal in it.

            Examples:
              callboard cluster upgrade \\
                --journal-url postgresql://callboard@db.example/lists
              CALLBOARD_JOURNAL_URL=postgresql://… callboard cluster upgrade
            """)

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        try await Program.run {
            let url = try database.url(otherwise: "a data folder has one server, and needs no such step")
            Output.line(try Self.upgrade(url))
            return .success
        }
    }

    /// Raises the version.
    ///
    /// - Returns: What was done, for people.
    static func upgrade(_ url: String) throws -> String {
        do throws(JournalError) {
            let address = try DatabaseAddress(url)
            let upgrade = try ClusterUpgrade(address)
            return upgrade.from == upgrade.to
                ? "\(address): version \(upgrade.to) already"
                : "\(address): version \(upgrade.to), after \(upgrade.from); earlier programs are refused from now on"
        } catch {
            throw DataFault(
                purpose: "end the upgrade", refusal: "replace or stop those nodes first, and try again",
                isDatabase: true
            )(error)
        }
    }
}
