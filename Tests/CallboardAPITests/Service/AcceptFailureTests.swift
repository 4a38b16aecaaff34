import Glibc
import HTTPServer
import Journal
import Logging
import Reactor
import Synchronization
import Testing

@testable import CallboardAPI

@Suite("Connections that cannot be accepted")
struct AcceptFailureTests {
    /// Keeps what is logged, as text.
    private struct Collector: LogHandler {
        final class Entries: Sendable {
            let list = Mutex<[String]>([])
        }

        let entries: Entries
        var logLevel = Logger.Level.info
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            entries.list.withLock { $0.append("\(event.level): \(event.message)" + details.joined()) }
        }
    }

    @Test(
        "the log says what has failed, how many connections there are, the limit, and what to do",
        arguments: [
            (EMFILE, "ulimit -n"), (ENFILE, "fs.file-max"), (ENOSPC, "max_user_watches"), (ENOMEM, "memory"),
        ])
    func advice(_ number: Int32, _ advice: String) async throws {
        let entries = Collector.Entries()
        let group = try EventLoopGroup(count: 1)
        let application = try Application(
            configuration: APIConfiguration(), group: group, journal: MemoryJournal(),
            logger: Logger(label: "test") { _ in Collector(entries: entries) })
        let error = SystemError(call: "accept4", number: number)
        application.acceptFailed(AcceptFailure(error: error, attempts: 12, connections: 900))
        await group.stop()
        let entry = try #require(entries.list.withLock { $0.first })
        let limit = try DescriptorLimit.current()
        for part in ["error: connections", "accept4: ", "attempts=12", "connections=900", "limit=\(limit)", advice] {
            #expect(entry.contains(part))
        }
    }
}
