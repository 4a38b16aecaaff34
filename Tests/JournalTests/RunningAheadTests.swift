import DirectorLife
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// A host that performs ahead of the disk and goes back when it has to, as a server's do.
struct RunningAheadTests {
    @Test(
        "a host on a disk that fails now and then never disagrees with what is stored, and is answered in order",
        .timeLimit(.minutes(1)))
    func failingDisk() async throws {
        let seed = SeededGenerator.seedOfRun("host")
        for round in 0..<4 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let disk = try FaultyDisk()
            let folder = try TemporaryFolder()
            var settings = SQLiteSettings()
            settings.queue = .init(count: 20, bytes: 1 << 20)
            let journal = try disk.open(folder, settings)
            defer { journal.close() }
            let hosts = [Host(journal, "one"), Host(journal, "two")]
            for host in hosts { host.perform("0", .begins) }
            try await eventually("the first are stored") { hosts.allSatisfy { $0.count == 0 } }
            for index in 1...300 {
                if random.chance(25) {
                    let fault = FaultyDisk.Fault.allCases[random.below(4)]
                    disk.fail(fault, after: random.below(4), times: 1 + random.below(3))
                }
                hosts[random.below(2)].perform("\(index)", .continues)
                if random.chance(20) { try await eventually("some are answered") { hosts[0].count < 5 } }
            }
            disk.mend()
            try await eventually("all are answered") { hosts.allSatisfy { $0.count == 0 } && journal.status == .ok }
            for host in hosts { host.perform("last", .continues) }
            try await eventually("the last are answered") { hosts.allSatisfy { $0.count == 0 } }
            let records = try journal.allRecords()
            for host in hosts {
                let stored = records.filter { $0.director == host.name }
                let texts = stored.map { String(decoding: $0.payload, as: UTF8.self) }
                #expect(texts == host.state, "seed \(seed &+ UInt64(round))")
                #expect(texts == host.acknowledged, "seed \(seed &+ UInt64(round))")
                #expect(host.outOfOrder == 0, "seed \(seed &+ UInt64(round))")
                #expect(texts.last == "last", "seed \(seed &+ UInt64(round))")
            }
        }
    }

    /// A list of texts that runs ahead of the disk. It takes each completion for that of the oldest record in flight.
    private final class Host: Sendable {
        private struct UnderWay {
            let serial: Int
            let text: String
            let after: [String]
            let number: Int
            var isLost = false
        }

        private struct State {
            var state: [String] = []
            var stored: [String] = []
            var acknowledged: [String] = []
            var underWay: [UnderWay] = []
            var last = 0
            var storedNumber = 0
            var serial = 0
            var outOfOrder = 0
        }

        let name: String
        private let inner = Mutex(State())
        private let journal: SQLiteJournal

        init(_ journal: SQLiteJournal, _ name: String) {
            self.journal = journal
            self.name = name
        }

        var state: [String] { inner.withLock { $0.state } }
        var acknowledged: [String] { inner.withLock { $0.acknowledged } }
        var count: Int { inner.withLock { $0.underWay.count } }
        var outOfOrder: Int { inner.withLock { $0.outOfOrder } }

        func perform(_ text: String, _ step: RecordStep) {
            let (serial, number) = inner.withLock { inner in
                inner.serial += 1
                inner.last += 1
                inner.state.append(text)
                inner.underWay.append(
                    UnderWay(serial: inner.serial, text: text, after: inner.state, number: inner.last))
                return (inner.serial, inner.last)
            }
            journal.append(.sample(number, of: name, step, payload: Array(text.utf8))) { result in
                self.inner.withLock { self.settle(serial, (try? result.get()) != nil, &$0) }
            }
        }

        private func settle(_ serial: Int, _ isStored: Bool, _ inner: inout State) {
            let first = inner.underWay.removeFirst()
            if first.serial != serial { inner.outOfOrder += 1 }
            if isStored, !first.isLost {
                inner.stored = first.after
                inner.storedNumber = first.number
                inner.acknowledged.append(first.text)
            } else if !first.isLost {
                for index in inner.underWay.indices { inner.underWay[index].isLost = true }
                inner.state = inner.stored
                inner.last = inner.storedNumber
            }
        }
    }
}
