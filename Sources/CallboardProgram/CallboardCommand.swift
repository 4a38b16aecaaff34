import ArgumentParser
import CallboardAPI

/// Where the program begins.
package enum EntryPoint {
    /// Runs the program with the arguments of its process; does not return where a command ends it.
    package static func main() async { await CallboardCommand.main() }
}

/// The program `callboard`.
struct CallboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callboard",
        abstract: "A server for live lists, and the tools to fill one and to watch one.",
        discussion: """
            Start a server, load a list into it, and watch it change:

              callboard serve
              callboard load contacts.csv --identifier '{email}'
              callboard watch contacts

            Exit status:
              0   done
              1   failed; standard error says why
              2   "load" left some records out
              64  the command line is wrong
              69  no server answers
              78  a setting is wrong
            """,
        version: CallboardService.version,
        subcommands: [
            ServeCommand.self, LoadCommand.self, WatchCommand.self, DirectorsCommand.self, VersionCommand.self,
        ])
}
