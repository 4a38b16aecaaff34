import DirectorLife
import Directors
import JSONValues
import JournalTesting
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// Whichever way a director is read from a journal, it is the one that was alive.
struct EqualityTests {
    private static let retention = VersionRetention(count: 6, bytes: 1 << 40)

    @Test(
        "a life is the same from its log alone, from any snapshot with the log behind it, and from a snapshot of that",
        arguments: [0, 30, 400])
    func threeWays(largest: Int) async throws {
        let seed = SeededGenerator.seedOfRun("three ways")
        for round in 0..<(largest > 100 ? 6 : 50) {
            try await life(seed &+ UInt64(round), largest: largest)
        }
    }

    private func life(_ seed: UInt64, largest: Int) async throws {
        var random = SeededGenerator(seed: ~seed)
        var life = RandomLife("one", epoch: "e", seed: seed, retention: Self.retention, largest: largest)
        let log = RecoverableMemoryJournal()
        let snapshots = RecoverableMemoryJournal()
        for step in 0..<(10 + random.below(50)) {
            let record = step == 0 ? life.begin() : life.step()
            try await log.append(record)
            try await snapshots.append(record)
            if random.chance(12) { snapshots.snapshot(life.state) }
        }
        let replayed = try recover(log)
        let resumed = try recover(snapshots)
        snapshots.snapshot(resumed.state)
        let ways = [
            ("log", replayed), ("snapshot", resumed), ("snapshot again", try recover(snapshots)),
            ("snapshot again, verified", try recover(snapshots, isVerifying: true)),
        ]
        for (way, recovered) in ways {
            let differences =
                try recovered.differences(from: life) + Self.differences(recovered.state.director, life.director)
            #expect(differences.isEmpty, "seed \(seed), largest \(largest), \(way)")
            if !differences.isEmpty { return print(life.trace.joined(separator: "\n")) }
        }
    }

    private func recover(_ journal: RecoverableMemoryJournal, isVerifying: Bool = false) throws -> RecoveredDirector {
        try #require(
            try Recovery(
                of: journal, limits: DirectorLimits(), retention: Self.retention, isVerifying: isVerifying
            ).directors.first)
    }

    /// What else has to be the same for the life to go on as it would have: counts, adapters, places, the next reload.
    private static func differences(_ one: Director, _ other: Director) throws -> [String] {
        var found: [String] = []
        if one.working.list.counts != other.working.list.counts { found.append("counts") }
        for (section, model) in zip(one.working.list.sections, other.working.list.sections) {
            for (position, (element, its)) in zip(section.list, model.list).enumerated() {
                if element.adapter != its.adapter || element.value.bytes != its.value.bytes {
                    found.append("element \(position) of \(section.identifier)")
                }
                let places = section.list.positions(hash: element.identityHash) {
                    $0.identifier == element.identifier
                }
                if !places.contains(position) { found.append("place \(position) in \(section.identifier)") }
            }
        }
        var (next, expected) = (one, other)
        if json(try next.reload()) != json(try expected.reload()) { found.append("next reload") }
        if next.published != expected.published { found.append("next published state") }
        return found
    }

    private static func json(_ change: PublishedChange?) -> [UInt8] {
        var json = JSONWriter()
        change?.encode(to: &json)
        return json.bytes
    }
}
