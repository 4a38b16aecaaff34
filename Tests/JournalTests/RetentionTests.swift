import DirectorLife
import Directors
import JournalTesting
import TestSupport
import Testing

@testable import Journal

/// The versions that a restart finds are those that were retained before it.
struct RetentionTests {
    @Test(
        "replaying a log retains what a live director's history would, within the same bounds",
        arguments: [(4, 1 << 30), (1000, 6000), (1000, 2500), (3, 3000), (1, 2000)])
    func replay(count: Int, bytes: Int) async throws {
        let seed = SeededGenerator.seedOfRun("retention")
        for round in 0..<10 as Range<UInt64> {
            var life = RandomLife("one", epoch: "e", seed: seed &+ round)
            let journal = RecoverableMemoryJournal()
            try await journal.append(life.begin())
            for _ in 0..<40 { try await journal.append(life.step()) }
            let all = try recover(journal, VersionRetention(count: .max, bytes: 1 << 40)).versions.retained
            func live(_ bytes: Int) throws -> VersionHistory {
                let first = try #require(all.first)
                var history = VersionHistory(
                    first: first.state, adapters: first.adapters,
                    retention: VersionRetention(count: count, bytes: bytes))
                for version in all.dropFirst() {
                    history.append(version.state, adapters: version.adapters, changeset: version.changeset)
                }
                return history
            }
            let found = try recover(journal, VersionRetention(count: count, bytes: bytes)).versions
            // The memory of the same content differs by what the allocator rounds up.
            let (least, most) = (try live(bytes - 1024), try live(bytes + 1024))
            #expect(least.oldest >= found.oldest && found.oldest >= most.oldest, "seed \(seed &+ round)")
            let expected = all.suffix(found.count)
            #expect(found.retained.map(\.state) == expected.map(\.state), "seed \(seed &+ round)")
            #expect(
                found.retained.dropFirst().map { $0.changeset?.frame.bytes }
                    == expected.dropFirst().map { $0.changeset?.frame.bytes },
                "seed \(seed &+ round)")
            #expect(found.retained.first?.changeset == nil)
            #expect(found.newest == life.director.published)
            #expect(found.count == 1 || found.count <= count && found.bytes <= bytes)
        }
    }

    private func recover(_ journal: RecoverableMemoryJournal, _ retention: VersionRetention) throws -> LifeState {
        try #require(
            try Recovery(of: journal, limits: DirectorLimits(), retention: retention).directors.first
        ).state
    }

    @Test("a snapshot with more versions than are to be retained is read with the newest of them")
    func smaller() async throws {
        var life = RandomLife("one", epoch: "e", seed: 5, retention: VersionRetention(count: 100, bytes: 1 << 30))
        let journal = RecoverableMemoryJournal()
        try await journal.append(life.begin())
        for _ in 0..<60 { try await journal.append(life.step()) }
        await journal.storeSnapshot(life.state)
        let versions = Array(life.versions.retained)
        try #require(versions.count > 6)
        let found = try recover(journal, VersionRetention(count: 5, bytes: 1 << 30)).versions
        #expect(found.retained.map(\.state) == versions.suffix(5).map(\.state))
        #expect(
            found.retained.dropFirst().map { $0.changeset?.frame.bytes }
                == versions.suffix(4).map { $0.changeset?.frame.bytes })
        #expect(found.retained.first?.changeset == nil)
    }
}
