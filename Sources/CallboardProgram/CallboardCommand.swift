import ArgumentParser
import COpenSSL
import CallboardAPI

/// Where the program begins.
package enum EntryPoint {
    /// Runs the program with the arguments of its process; does not return where a command ends it.
    package static func main() async {
        // Otherwise OpenSSL is taken down when the process ends, below threads that are still at work in it.
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
        await CallboardCommand.main()
    }
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

            Receive the events of its hooks, to try them:

              callboard listen 9000

            What the server holds is in its data folder, callboard-data:

              callboard backup callboard-data contacts.db
              callboard check contacts.db
              callboard token create --name kitchen --read 'menu-*'

            Exit status:
              0   done
              2   "load --partial" left some records out
              64  the command line is wrong
              65  the input is wrong: records, damaged data, a request
              66  a file, a folder or a list that is to be read is not there
              69  a server or a database does not answer, or is not trusted; an
                  address cannot be listened on
              70  the program itself has failed
              73  the output is there already, or cannot be made
              74  a disk or a file has failed, or is full
              75  failed for now; trying again may help
              77  the credential, or the system, does not give the right
              78  a setting is wrong, or the data folder cannot be used
              130 interrupted
            """,
        version: Application.version,
        subcommands: [
            ServeCommand.self, HealthCommand.self, LoadCommand.self, WatchCommand.self, ListenCommand.self,
            DirectorsCommand.self,
            CheckCommand.self, BackupCommand.self, RestoreCommand.self, MigrateCommand.self, TokenCommand.self,
            ClusterCommand.self, CertificateCommand.self, VersionCommand.self,
        ])
}
