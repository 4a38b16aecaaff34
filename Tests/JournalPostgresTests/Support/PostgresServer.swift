import Foundation
import Synchronization

@testable import JournalPostgres

/// A PostgreSQL server of a test's own: in a temporary folder, on a Unix-domain socket, stopped and removed with the
/// value or with the process, however that ends.
final class PostgresServer: Sendable {
    /// The one that tests share which leave it as it is.
    static let shared = Result { try PostgresServer() }

    private let folder: String
    private let settings: [String]
    private let running = Mutex<(process: Process, input: Pipe)?>(nil)
    private static let counter = Atomic<Int>(0)

    /// The newest version that Debian's packages have installed.
    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).max().map { "\(root)/\($0)/bin" }
    }()

    /// Becomes its other arguments, as a user who may run PostgreSQL, which refuses root.
    private static let asUser = """
        become() {
            if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"; fi
            exec "$@"
        }
        """

    /// Makes a server and starts it.
    ///
    /// - Parameter settings: Settings as `postgres -c` takes them.
    init(_ settings: [String] = []) throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("callboard-pg-\(UUID().uuidString.prefix(8))")
            .path
        self.settings = settings
        let programs = try Self.programs ?? { throw Missing() }()
        try Self.shell(
            """
            \(Self.asUser)
            mkdir -m 700 "\(folder)"
            if [ "$(id -u)" = 0 ]; then chown postgres:postgres "\(folder)"; fi
            cd "\(folder)"
            (become "\(programs)/initdb" -D "\(folder)/data" -U owner -A trust -E UTF8 --locale=C --no-sync >/dev/null)
            become sh -c 'printf "%s\\n" "local all locked scram-sha-256" "local all all trust" > "\(folder)/data/pg_hba.conf"'
            """)
        try start()
    }

    deinit {
        stop()
    }

    /// The packages are missing.
    private struct Missing: Error, CustomStringConvertible {
        let description = "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    }

    /// Something that should have worked did not.
    struct Failure: Error {
        let what: String
    }

    private static func shell(_ script: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(what: "a script of PostgreSQL's set-up has failed") }
    }

    // MARK: Running

    /// Starts the server on the same data.
    func start() throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let options =
            (["fsync=off", "listen_addresses=", "max_connections=40", "unix_socket_directories=\(folder)"]
            + settings).map { "-c '\($0)'" }.joined(separator: " ")
        // The input ends with the process that holds its other end, also where that is killed.
        process.arguments = [
            "-c",
            """
            \(Self.asUser)
            cd "\(folder)"
            (become "\(Self.programs ?? "")/postgres" -D "\(folder)/data" \(options) </dev/null >>"\(folder)/log" 2>&1) &
            server=$!
            cat >/dev/null
            kill -QUIT $server 2>/dev/null
            wait $server
            [ -e "\(folder)/restarting" ] || rm -rf "\(folder)"
            """,
        ]
        process.standardInput = input
        // Whoever runs the tests waits for the end of their output, which must not wait for this.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        for end in [input.fileHandleForReading, input.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        try process.run()
        running.withLock { $0 = (process, input) }
        let end = ContinuousClock.now + .seconds(30)
        while true {
            do {
                _ = try connect("postgres")
                return
            } catch {
                guard ContinuousClock.now < end else { throw Failure(what: "PostgreSQL does not start: \(error)") }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    /// Stops the server and removes its folder.
    private func stop() {
        running.withLock { running in
            guard let (process, input) = running else { return }
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            running = nil
        }
    }

    /// Kills all of the server's processes, and leaves it so.
    func kill() throws {
        let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        guard let first = text.split(separator: "\n").first, let server = Int32(first) else {
            throw Failure(what: "the server's identifier cannot be read")
        }
        let children = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter {
            Self.standing(of: $0)?.parent == server
        }
        for process in [server] + children { Foundation.kill(process, SIGKILL) }
        // What is killed may take its time to end, and until then its connections look alive.
        while children.contains(where: { Self.standing(of: $0).map { $0.state != "Z" } ?? false }) {
            Thread.sleep(forTimeInterval: 0.005)
        }
        _ = FileManager.default.createFile(atPath: folder + "/restarting", contents: nil)
        stop()
        try FileManager.default.removeItem(atPath: folder + "/restarting")
    }

    /// The state and the parent of a process, as /proc tells them; nil where it is gone.
    private static func standing(of process: Int32) -> (state: Substring, parent: Int32?)? {
        let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name, in parentheses, may hold anything; behind it come the state and the parent.
        let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 1 ? (fields[0], Int32(fields[1])) : nil
    }

    // MARK: Databases

    /// Makes an empty database.
    func makeDatabase() throws -> TestDatabase {
        let name = "test\(Self.counter.wrappingAdd(1, ordering: .relaxed).newValue)"
        try execute("CREATE DATABASE \(name)", in: "postgres")
        return TestDatabase(server: self, name: name)
    }

    /// The URL of a database, for a user.
    func url(_ database: String, user: String = "owner", password: String? = nil) -> String {
        let secret = password.map { ":\($0)" } ?? ""
        return "postgresql://\(user)\(secret)@/\(database)?host=\(folder)"
    }

    /// Runs a statement that shows no rows.
    func execute(_ sql: String, in database: String) throws {
        _ = try connect(database).run([Statement("test", sql)()], within: .seconds(20))
    }

    /// Connects with a connection of the journal's own.
    func connect(_ database: String) throws -> Connection {
        try Connection.open(
            DatabaseAddress(url(database)), within: .seconds(5), session: Statement("session-test", "SELECT 1"))
    }
}

/// A database of one test.
struct TestDatabase: Sendable {
    let server: PostgresServer
    let name: String

    var address: DatabaseAddress {
        get throws { try DatabaseAddress(server.url(name)) }
    }

    /// Opens a journal in it.
    func open(
        _ settings: PostgresSettings = .quick, clock: @escaping @Sendable () -> Int = { 1_000_000 }
    ) throws -> PostgresJournal {
        try PostgresJournal(address, settings: settings, clock: clock)
    }

    /// Runs a statement as another program would.
    func execute(_ sql: String) throws {
        try server.execute(sql, in: name)
    }

    /// The first integer that a statement shows.
    func integer(_ sql: String) throws -> Int {
        let results = try server.connect(name).run([Statement("test", sql)()], within: .seconds(20))
        return try results[0].first?.integer(0, "a row") ?? 0
    }

    /// Removes it.
    func drop() {
        try? server.execute("DROP DATABASE \(name) WITH (FORCE)", in: "postgres")
    }
}

extension PostgresSettings {
    /// A lease that a node keeps whatever else the machine does: one of a second runs out where the machine is busy.
    static let lastingLease = Duration.seconds(5)

    /// Settings that make nobody wait long.
    static var quick: PostgresSettings {
        var settings = PostgresSettings()
        settings.lease = .seconds(1)
        settings.renewal = .milliseconds(200)
        settings.patience = .seconds(20)
        settings.retryDelay = .milliseconds(20)
        return settings
    }
}
