import Directors
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Journal

/// What every store of deliveries does, and what the one on disk does in addition.
struct DeliveryStoreTests {
    /// The stores that the conformance suite runs on.
    enum Kind: String, CaseIterable, Sendable {
        case memory
        case memoryStore
        case sqlite

        func run(_ test: (any DeliveryStore) async throws -> Void) async throws {
            switch self {
            case .memory: try await test(MemoryDeliveryStore())
            case .memoryStore: try await test(MemoryStore())
            case .sqlite:
                let folder = try TemporaryFolder()
                let store = try SQLiteStore(path: folder.file)
                defer { store.close() }
                try await test(store)
            }
        }
    }

    // MARK: All stores

    @Test("what was put is there again as it was, in the order of the sequences", arguments: Kind.allCases)
    func order(_ kind: Kind) async throws {
        try await kind.run { store in
            #expect(try store.deliveries() == [])
            var tried = Delivery.sample(7, body: [])
            tried.attempts = 3
            tried.lastAttempt = WallTime(milliseconds: 1_700_000_000_123)
            tried.nextAttempt = .distantFuture
            tried.lastError = "the target answered 500 — „Störung“"
            var dead = Delivery.sample(2, level: .headerFooter("Kopf/Fuß %"))
            dead.state = .dead
            try await store.write([.put(tried), .put(dead), .put(.sample(5, level: .scroll))])
            #expect(try store.deliveries() == [dead, .sample(5, level: .scroll), tried])
        }
    }

    @Test("a change in place and a removal count, and made twice they are the same", arguments: Kind.allCases)
    func changes(_ kind: Kind) async throws {
        try await kind.run { store in
            try await store.write([.put(.sample(1)), .put(.sample(2)), .put(.sample(3))])
            var changed = Delivery.sample(2)
            changed.attempts = 1
            for _ in 0..<2 {
                try await store.write([.put(changed), .remove(1), .remove(99)])
                #expect(try store.deliveries() == [changed, .sample(3)])
            }
            try await store.write([.put(.sample(4)), .remove(4)])
            #expect(try store.deliveries() == [changed, .sample(3)])
        }
    }

    @Test("completions come in the order of the calls", arguments: Kind.allCases)
    func completionOrder(_ kind: Kind) async throws {
        try await kind.run { store in
            let seen = Mutex<[Int]>([])
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                for index in 1...300 {
                    store.write([.put(.sample(index))]) { _ in
                        let count = seen.withLock { seen in
                            seen.append(index)
                            return seen.count
                        }
                        if count == 300 { done.resume() }
                    }
                }
            }
            #expect(seen.withLock { $0 } == Array(1...300))
            let found = try store.deliveries()
            #expect(found.map(\.sequence) == Array(1...300))
        }
    }

    @Test("random changes leave what a dictionary would", arguments: Kind.allCases)
    func randomChanges(_ kind: Kind) async throws {
        let seed = SeededGenerator.seedOfRun("stores of deliveries")
        var random = SeededGenerator(seed: seed)
        try await kind.run { store in
            var expected: [Int: Delivery] = [:]
            for step in 0..<200 {
                var changes: [DeliveryChange] = []
                for _ in 0...random.below(4) {
                    let sequence = 1 + random.below(40)
                    if random.chance(3) {
                        changes.append(.remove(sequence))
                        expected[sequence] = nil
                    } else {
                        let delivery = Delivery.random(sequence, &random)
                        changes.append(.put(delivery))
                        expected[sequence] = delivery
                    }
                }
                try await store.write(changes)
                guard step.isMultiple(of: 10) else { continue }
                #expect(
                    try store.deliveries() == expected.values.sorted { $0.sequence < $1.sequence },
                    "seed \(seed), step \(step)")
            }
        }
    }

    @Test("records and deliveries are stored side by side", arguments: [Implementation.memory, .sqlite])
    func besideRecords(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            try await store.append("a", .begins)
            try await store.write([.put(.sample(1))])
            try await store.append("b")
            try await store.append("c", .ends)
            try await store.write([.put(.sample(2))])
            #expect(store.latest == JournalSequence(3))
            #expect(try store.deliveries().map(\.sequence) == [1, 2])
        }
    }

    @Test("a store that is closed refuses deliveries", arguments: Implementation.allCases)
    func closed(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            store.close()
            await #expect(throws: DeliveryStoreError.unavailable("the journal is closed")) {
                try await store.write([.put(.sample(1))])
            }
        }
    }

    // MARK: On disk

    @Test("deliveries are there after the store was opened again, and what comes next does not disturb them")
    func reopening() async throws {
        let folder = try TemporaryFolder()
        var expected: [Delivery] = []
        for round in 0..<4 {
            let store = try SQLiteStore(path: folder.file)
            #expect(try store.deliveries() == expected)
            let next = Delivery.sample(10 + round, body: Array(repeating: UInt8(round), count: 20_000 * round))
            try await store.write([.put(next)] + expected.prefix(1).map { .remove($0.sequence) })
            expected = expected.dropFirst() + [next]
            store.close()
        }
    }

    @Test("changes of deliveries share the commits of records")
    func groupCommit() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let store = try disk.open(folder)
        defer { store.close() }
        try await store.append("0", .begins)
        disk.holdSyncs(true)
        let first = Task { try await store.append("1") }
        try await eventually("the commit is under way") { store.metrics.waiting == 0 }
        let syncs = disk.syncs
        let done = Mutex(0)
        for index in 1...100 {
            store.write([.put(.sample(index))]) { _ in done.withLock { $0 += 1 } }
            store.append(
                StoredUnit(
                    director: "contacts", epoch: "e1", record: .init(step: .goesOn, number: nil, payload: [1]))
            ) { _ in done.withLock { $0 += 1 } }
        }
        disk.holdSyncs(false)
        _ = try await first.value
        try await eventually("all are stored") { done.withLock { $0 } == 200 }
        #expect(disk.syncs - syncs <= 4, "\(disk.syncs - syncs) syncs")
        #expect(try store.deliveries().count == 100)
    }

    @Test("whatever the disk does, what was acknowledged is there and what was refused is not", .timeLimit(.minutes(2)))
    func randomFailures() async throws {
        let seed = SeededGenerator.seedOfRun("failures with deliveries")
        for round in 0..<6 as Range<UInt64> {
            var random = SeededGenerator(seed: seed &+ round)
            let disk = try FaultyDisk()
            let folder = try TemporaryFolder()
            let store = try disk.open(folder, StoreSettings(checkpointThreshold: 60_000))
            defer { store.close() }
            var expected: [Int: Delivery] = [:]
            for step in 1...60 {
                if random.chance(3) {
                    let fault = FaultyDisk.Fault.allCases[random.below(4)]
                    disk.fail(fault, after: random.below(6), times: 1 + random.below(3))
                }
                var next = expected
                let change: DeliveryChange
                if random.chance(3), let sequence = expected.keys.min() {
                    change = .remove(sequence)
                    next[sequence] = nil
                } else {
                    let delivery = Delivery.random(random.chance(2) ? step : 1 + random.below(step), &random)
                    change = .put(delivery)
                    next[delivery.sequence] = delivery
                }
                // Refused: it must never be found, also not by who opens the files now.
                if (try? await store.write([change])) != nil { expected = next }
                guard random.chance(4) else { continue }
                let found = try Self.deliveries(in: try folder.copy(of: store))
                #expect(Self.differences(found, expected) == [], "seed \(seed &+ round), step \(step)")
            }
            disk.mend()
            try await eventually("it works again") { store.status == .ok }
            #expect(Self.differences(try store.deliveries(), expected) == [], "seed \(seed &+ round)")
        }
    }

    @Test("a commit that was cut off anywhere by a kill leaves all of its changes or none")
    func cutCommit() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file)
        defer { store.close() }
        try await store.write((1...40).map { .put(.sample($0, body: Array(repeating: 1, count: 900))) })
        let before = try store.deliveries()
        let start = try Self.logSize(folder)
        try await store.write(
            (1...20).map { .remove($0) } + (30...60).map { .put(.sample($0, body: Array(repeating: 2, count: 900))) })
        let after = try store.deliveries()
        let end = try Self.logSize(folder)
        var found: Set<[Delivery]> = []
        for size in Array(stride(from: start, to: end, by: 3001)) + [end] {
            let killed = try folder.copy(of: store)
            let log = try #require(FileHandle(forWritingAtPath: killed.file + "-wal"))
            try log.truncate(atOffset: size)
            try log.close()
            found.insert(try Self.deliveries(in: killed))
        }
        #expect(end - start > 20_000)
        #expect(found == [before, after])
    }

    private static func logSize(_ folder: TemporaryFolder) throws -> UInt64 {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file + "-wal")
        return try #require(attributes[.size] as? NSNumber).uint64Value
    }

    @Test("a removal that is in the log after a failed sync is reported done", .timeLimit(.minutes(1)))
    func foundAfterDoubt() async throws {
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let store = try disk.open(folder)
        defer { store.close() }
        try await store.write([.put(.sample(1)), .put(.sample(2))])
        // The second failure keeps closing from taking the log over: opening again finds the commit in it.
        disk.fail(.sync, times: 2)
        try await store.write([.remove(1)])
        #expect(try Self.deliveries(in: try folder.copy(of: store)).map(\.sequence) == [2])
        #expect(try store.deliveries().map(\.sequence) == [2])
    }

    /// The sequences of what is not as it has to be, without their long bodies.
    private static func differences(_ found: [Delivery], _ expected: [Int: Delivery]) -> [Int] {
        let known = Dictionary(found.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
        return Set(known.keys).union(expected.keys).filter { known[$0] != expected[$0] }.sorted()
    }

    /// What a store finds that opens a folder on the system's own disk.
    static func deliveries(in folder: TemporaryFolder) throws -> [Delivery] {
        let store = try SQLiteStore(path: folder.file)
        defer { store.close() }
        return try store.deliveries()
    }
}

extension DeliveryStore {
    /// Makes changes and waits for it.
    func write(_ changes: [DeliveryChange]) async throws {
        try await withCheckedContinuation { continuation in
            write(changes) { continuation.resume(returning: $0) }
        }.get()
    }
}

extension Delivery {
    /// A delivery that waits.
    static func sample(
        _ sequence: Int, director: String = "contacts", epoch: String = "e1", level: HookLevel = .cell("Contact"),
        body: [UInt8] = [1, 2, 3]
    ) -> Delivery {
        Delivery(
            sequence: sequence, id: "msg_\(sequence)",
            address: HookAddress(director: director, epoch: epoch, level: level, event: "didSelect"),
            created: WallTime(milliseconds: 1_700_000_000_000 + sequence), body: body)
    }

    /// Any delivery.
    static func random(_ sequence: Int, _ random: inout SeededGenerator) -> Delivery {
        var delivery = sample(
            sequence, level: random.chance(2) ? .director : .cell("Ünïcode/\(random.below(9))"),
            body: (0..<random.below(6000)).map { UInt8(truncatingIfNeeded: $0) })
        delivery.state = random.chance(3) ? .dead : .pending
        delivery.attempts = random.below(11)
        delivery.nextAttempt = WallTime(milliseconds: random.below(1 << 30))
        if random.chance(2) { delivery.lastAttempt = WallTime(milliseconds: random.below(1 << 30)) }
        if random.chance(2) { delivery.lastError = String(repeating: "é", count: random.below(200)) }
        return delivery
    }
}
