import DirectorLife
import Directors
import Journal
import TestSupport
import Testing

extension JournalClaim {
    private static func answer(_ key: String, expires: Int = .max) -> StoredAnswer {
        StoredAnswer(key: key, fingerprint: .max, body: Array(key.utf8.dropFirst()), expires: expires)
    }

    /// Answers to requests that may be repeated.
    static let answers = [
        JournalClaim("answers are kept with their record until they expire or the life ends") { journal, clock in
            let (one, two) = (
                answer("k1", expires: clock.read() + 10), answer("k", expires: clock.read() + 20)
            )
            await refuses(journal, .answer(two, after: 1))
            try await journal.append(.begin(answer: one))
            try await journal.append(.answer(two, after: 1))
            #expect(try journal.answers(of: "contacts") == [one, two])
            #expect(try journal.lives().first?.number == 1)
            clock.advance(by: 10)
            #expect(try journal.answers(of: "contacts") == [two])
            try await journal.append(.end(number: 2))
            #expect(try journal.answers(of: "contacts").isEmpty)
        },
        JournalClaim("an answer that was given after a record that is not stored is not kept") { journal, _ in
            try await journal.append(.begin())
            let answer = answer("k")
            for number in [0, 2] { await refuses(journal, .answer(answer, after: number)) }
            #expect(try journal.answers(of: "contacts").isEmpty)
            try await journal.append(.answer(answer, after: 1))
            #expect(try journal.answers(of: "contacts") == [answer])
        },
        JournalClaim("beyond the bound the oldest answers are forgotten", settings: fewAnswers) { journal, _ in
            try await journal.append(.begin())
            for index in 0..<8 { try await journal.append(.answer(answer("k\(index)"), after: 1)) }
            #expect(try journal.answers(of: "contacts").map(\.key) == ["k5", "k6", "k7"])
        },
    ]

    private static var fewAnswers: ConformanceSettings {
        var settings = ConformanceSettings()
        settings.answers = 3
        return settings
    }

    private static var earlySnapshots: ConformanceSettings {
        var settings = ConformanceSettings()
        settings.snapshotThreshold = 10_000
        return settings
    }

    /// Snapshots and what they replace.
    static let snapshots = [
        JournalClaim("a snapshot replaces the one before and the records up to it", settings: earlySnapshots) {
            journal, _ in
            func text(_ bytes: Int, _ number: Int) -> LifeRecord {
                .text(String(repeating: "x", count: bytes), number: number)
            }
            try await journal.append(.begin())
            #expect(try journal.snapshotBytes() == nil)
            try await journal.append(text(3000, 2))
            #expect(!journal.isSnapshotDue(for: "contacts") && journal.isSnapshotWorthwhile(for: "contacts"))
            #expect(!journal.isSnapshotDue(for: "nobody") && !journal.isSnapshotWorthwhile(for: "nobody"))
            for number in 3...5 { try await journal.append(text(5000, number)) }
            #expect(journal.isSnapshotDue(for: "contacts"))
            for number in [3, 5] {
                let state = try LifeState.sample(number: number, text: "\(number)")
                await journal.storeSnapshot(state)
                #expect(try journal.snapshotBytes() == state.snapshotBytes())
                #expect(try journal.lives().first?.snapshot == number)
            }
            #expect(!journal.isSnapshotDue(for: "contacts") && !journal.isSnapshotWorthwhile(for: "contacts"))
            try await eventually("the records are pruned") { journal.metrics?.prunedRecords == 5 }
            #expect(try journal.contents() == [])
            try await journal.append(text(1, 6))
            #expect(try journal.contents() == [text(1, 6).content])
            #expect(try journal.lives().first?.number == 6)
        },
        JournalClaim("a snapshot of a life that has ended, or is another one, is not stored") { journal, _ in
            try await journal.append(.begin())
            await journal.storeSnapshot(try .sample(epoch: "e0", number: 1))
            #expect(try journal.snapshotBytes() == nil)
            try await journal.append(.end(number: 2))
            await journal.storeSnapshot(try .sample(number: 1))
            #expect(try journal.snapshotBytes() == nil)
            try await journal.append(.begin(epoch: "e2"))
            await journal.storeSnapshot(try .sample(number: 1))
            #expect(try journal.snapshotBytes() == nil)
        },
    ]

    /// What a restart finds.
    static let recovery = [
        JournalClaim("an empty journal recovers to nothing") { journal, _ in
            let recovery = try Recovery(
                of: journal, limits: DirectorLimits(), retention: VersionRetention(count: 1, bytes: 0))
            #expect(recovery.directors.isEmpty)
        },
        JournalClaim("a random life is there again after each step, with and without a snapshot") { journal, _ in
            let seed = SeededGenerator.seedOfRun("random life")
            var life = RandomLife("one", epoch: "e", seed: seed)
            try await journal.append(life.begin())
            for step in 0..<60 {
                try await journal.append(life.step())
                if step % 10 == 9 { await journal.storeSnapshot(life.state) }
                guard step % 7 == 0 else { continue }
                let recovery = try Recovery(of: journal, limits: DirectorLimits(), retention: life.retention)
                let differences = recovery.directors.first?.differences(from: life)
                #expect(differences == [], "seed \(seed), step \(step)")
            }
        },
    ]
}
