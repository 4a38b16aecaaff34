import DirectorLife
import Directors
import JournalTesting
import Synchronization
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// Many units at once, of several directors, on a disk that fails now and then.
struct ManyUnitsTests {
    /// What was given to a journal and what it said, by director.
    private final class Answers: Sendable {
        struct State {
            /// The numbers of the units in the order in which they were given, and of those that were answered for.
            var given: [String: [Int]] = [:]
            var answered: [String: [(number: Int, isStored: Bool)]] = [:]
            var count = 0
        }

        let state = Mutex(State())
    }

    private static let directors = ["one", "two", "three", "four"]

    @Test(
        "each unit of many has one answer, in the order of its director, and it is true, whatever fails",
        .timeLimit(.minutes(2)))
    func randomAppends() async throws {
        let seed = SeededGenerator.seedOfRun("random appends")
        for round in 0..<6 { try await randomAppends(seed &+ UInt64(round)) }
    }

    private func randomAppends(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let disk = try FaultyDisk()
        let folder = try TemporaryFolder()
        let settings = SQLiteSettings(
            queue: .init(count: 300, bytes: 8 << 20), batch: .init(count: 40, bytes: 4 << 20),
            checkpointThreshold: 400_000)
        let journal = try disk.open(folder, settings)
        defer { journal.close() }
        var stored: [String: Int] = [:]
        for director in Self.directors {
            try await journal.append("0", .begins, to: director)
            stored[director] = 1
        }
        var deliveries: [Int] = []
        for step in 0..<40 {
            let answers = Answers()
            if random.chance(2) {
                disk.fail(
                    FaultyDisk.Fault.allCases[random.below(4)], after: random.below(random.chance(2) ? 3 : 700),
                    times: 1 + random.below(3))
            }
            for _ in 0..<(1 + random.below(5)) { give(to: journal, answers, stored, &random) }
            let wanted = answers.state.withLock { state in state.given.values.reduce(0) { $0 + $1.count } }
            try await eventually("every unit has its answer, seed \(seed), step \(step)") {
                answers.state.withLock { $0.count } >= wanted
            }
            let (given, answered) = answers.state.withLock { ($0.given, $0.answered) }
            for (director, numbers) in given {
                let found = answered[director] ?? []
                #expect(found.map(\.number) == numbers, "seed \(seed), step \(step), \(director)")
                let kept = found.filter(\.isStored).map(\.number)
                if director.isEmpty {
                    deliveries += kept
                } else {
                    // Each stands on the one before.
                    #expect(Array(numbers.prefix(kept.count)) == kept, "seed \(seed), step \(step), \(director)")
                    stored[director]? += kept.count
                }
            }
            if random.chance(3) {
                let copy = try folder.copy(of: journal)
                let killed = try SQLiteJournal(path: copy.file)
                defer { killed.close() }
                try expect(killed, stored, deliveries, "seed \(seed), step \(step)")
            }
        }
        disk.mend()
        try await eventually("it works again") { journal.status == .ok }
        try expect(journal, stored, deliveries, "seed \(seed)")
    }

    /// Appends units at once: records that follow each other, answers by themselves, and deliveries.
    private func give(
        to journal: SQLiteJournal, _ answers: Answers, _ stored: [String: Int], _ random: inout SeededGenerator
    ) {
        var units: [CommitUnit] = []
        var numbers: [Int] = []
        for _ in 0..<(1 + random.below(30)) {
            let isDelivery = random.chance(8)
            let director = isDelivery ? "" : Self.directors[random.below(Self.directors.count)]
            let number = answers.state.withLock { state in
                let before = state.given[director]?.last ?? stored[director] ?? Int(random.next() >> 20)
                state.given[director, default: []].append(before + 1)
                return before + 1
            }
            numbers.append(number)
            guard !isDelivery else {
                units.append(.deliveries([.put(.sample(number))]))
                continue
            }
            let size = random.below(random.chance(3) ? 60_000 : 300)
            let answer = StoredAnswer(key: "\(number)", fingerprint: 1, body: [1], expires: .max)
            units.append(
                .record(
                    .sample(
                        number, of: director, payload: [UInt8](repeating: 1, count: size),
                        answer: random.chance(5) ? answer : nil)))
        }
        let directors = units.map(\.director)
        journal.append(units) { [numbers] first, results in
            answers.state.withLock { state in
                for (index, result) in zip(first..., results) {
                    let isStored = (try? result.get()) != nil
                    state.answered[directors[index], default: []].append((numbers[index], isStored))
                }
                state.count += results.count
            }
        }
    }

    private func expect(
        _ journal: SQLiteJournal, _ stored: [String: Int], _ deliveries: [Int], _ comment: Comment
    ) throws {
        #expect(
            try Dictionary(uniqueKeysWithValues: journal.lives().map { ($0.director, $0.number) }) == stored, comment)
        #expect(try journal.deliveries.deliveries().map(\.sequence) == deliveries.sorted(), comment)
    }
}
