import Synchronization
import TestSupport
import Testing

@testable import Journal

/// What every store does, whatever it keeps its records in.
struct ConformanceTests {
    @Test("records are numbered without gaps, in the order of the appends", arguments: Implementation.allCases)
    func order(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            #expect(store.latest == JournalSequence(0))
            #expect(try await store.append("a", .begins).value == 1)
            #expect(try await store.append("b", .begins, to: "other").value == 2)
            #expect(try await store.append("c").value == 3)
            #expect(store.latest == JournalSequence(3))
            #expect(try store.texts() == ["a", "b", "c"])
            #expect(try store.texts(after: 1) == ["b", "c"])
            #expect(try store.texts(after: 3) == [])
            let records = try store.records(after: JournalSequence(0), upTo: .max)
            #expect(records.map(\.number) == [1, 1, 2])
            #expect(records.map(\.director) == ["contacts", "other", "contacts"])
            #expect(records.map(\.step) == [.begins, .begins, .goesOn])
        }
    }

    @Test("completions come in the order of the appends", arguments: Implementation.allCases)
    func completionOrder(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            try await store.append("0", .begins)
            let seen = Mutex<[UInt64]>([])
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                for index in 1...500 {
                    let record = StoredUnit.Record(step: .goesOn, number: index + 1, payload: [1])
                    store.append(StoredUnit(director: "contacts", epoch: "e1", record: record)) { result in
                        let value = (try? result.get().value) ?? 0
                        let count = seen.withLock { seen in
                            seen.append(value)
                            return seen.count
                        }
                        if count == 500 { done.resume() }
                    }
                }
            }
            #expect(seen.withLock { $0 } == Array(2...501))
        }
    }

    @Test("a record that is not its life's next one is refused and leaves no trace", arguments: Implementation.allCases)
    func conflicts(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            let none = StoreError.conflict(StoreConflict(director: "contacts", epoch: nil, number: 0))
            await #expect(throws: none) { try await store.append("too early", number: 1) }
            try await store.append("a", .begins, number: 1)
            let first = StoreError.conflict(StoreConflict(director: "contacts", epoch: "e1", number: 1))
            await #expect(throws: first) { try await store.append("again", .begins) }
            await #expect(throws: first) { try await store.append("repeated", number: 1) }
            await #expect(throws: first) { try await store.append("ahead", number: 3) }
            await #expect(throws: first) { try await store.append("other life", epoch: "e2") }
            try await store.append("b", number: 2)
            #expect(try store.texts() == ["a", "b"])
            #expect(store.latest == JournalSequence(2))
        }
    }

    @Test("with the first of several records under way all fail that stand on it", arguments: Implementation.allCases)
    func chain(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            try await store.append("a", .begins)
            // Number 2 is missing: as if it had failed while 3 and 4 were under way already.
            for number in 3...4 {
                await #expect(throws: StoreError.self) { try await store.append("\(number)", number: number) }
            }
            try await store.append("b", number: 2)
            try await store.append("c", number: 3)
            #expect(try store.texts() == ["a", "b", "c"])
        }
    }

    @Test("a life that has ended can be followed by another of the name", arguments: Implementation.allCases)
    func lives(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            try await store.append("a", .begins)
            try await store.append("b", .ends)
            #expect(try store.lives().isEmpty)
            await #expect(throws: StoreError.self) { try await store.append("c") }
            try await store.append("d", .begins, epoch: "e2")
            let life = StoredLife(director: "contacts", epoch: "e2", number: 1, snapshot: nil)
            #expect(try store.lives() == [life])
        }
    }

    @Test("answers are kept with their record until they expire or the life ends", arguments: Implementation.allCases)
    func answers(_ implementation: Implementation) async throws {
        let clock = TestClock()
        try await implementation.run(clock: clock) { store in
            let one = StoredAnswer(key: "k1", fingerprint: .max, body: [1, 2], expires: clock.read() + 10)
            let two = StoredAnswer(key: "k2", fingerprint: 7, body: [], expires: clock.read() + 20)
            await #expect(throws: StoreError.self) {
                try await store.append(StoredUnit(director: "contacts", epoch: "e1", answer: two))
            }
            try await store.append("a", .begins, answer: one)
            try await store.append(StoredUnit(director: "contacts", epoch: "e1", answer: two))
            #expect(try store.answers(of: "contacts") == [one, two])
            #expect(store.latest == JournalSequence(1))
            clock.advance(by: 10)
            #expect(try store.answers(of: "contacts") == [two])
            try await store.append("b", .ends)
            #expect(try store.answers(of: "contacts").isEmpty)
        }
    }

    @Test("an answer that was given after a record that is not stored is not kept", arguments: Implementation.allCases)
    func answersAfter(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            try await store.append("a", .begins)
            let answer = StoredAnswer(key: "k", fingerprint: 1, body: [], expires: .max)
            await #expect(throws: StoreError.self) {
                try await store.append(
                    StoredUnit(director: "contacts", epoch: "e1", answer: answer, answersAfter: 2))
            }
            #expect(try store.answers(of: "contacts").isEmpty)
            try await store.append(StoredUnit(director: "contacts", epoch: "e1", answer: answer, answersAfter: 1))
            #expect(try store.answers(of: "contacts") == [answer])
        }
    }

    @Test("beyond the bound the oldest answers are forgotten", arguments: Implementation.allCases)
    func answerBound(_ implementation: Implementation) async throws {
        var settings = StoreSettings()
        settings.answers = .init(count: 3, bytes: 1 << 20)
        try await implementation.run(settings) { store in
            try await store.append("a", .begins)
            for index in 0..<8 {
                let answer = StoredAnswer(key: "k\(index)", fingerprint: 0, body: [], expires: .max)
                try await store.append(StoredUnit(director: "contacts", epoch: "e1", answer: answer))
            }
            #expect(try store.answers(of: "contacts").map(\.key) == ["k5", "k6", "k7"])
        }
    }

    @Test("a snapshot replaces the one before and the records up to it", arguments: Implementation.allCases)
    func snapshots(_ implementation: Implementation) async throws {
        var settings = StoreSettings(snapshotThreshold: 100)
        settings.pruneThreshold = 0
        try await implementation.run(settings) { store in
            try await store.append("a", .begins)
            #expect(try store.chunks(of: "contacts") == nil)
            try await store.append(String(repeating: "x", count: 30))
            #expect(!store.isSnapshotDue(for: "contacts") && store.isSnapshotWorthwhile(for: "contacts"))
            #expect(!store.isSnapshotWorthwhile(for: "nobody"))
            for _ in 0..<3 {
                try await store.append(String(repeating: "x", count: 50))
            }
            #expect(store.isSnapshotDue(for: "contacts"))
            try await store.write(SnapshotHead(director: "contacts", epoch: "e1", number: 3), [[1], [2]])
            try await store.write(SnapshotHead(director: "contacts", epoch: "e1", number: 5), [[3], [4], [5]])
            #expect(try store.chunks(of: "contacts") == [[3], [4], [5]])
            #expect(try store.lives().first?.snapshot == 5)
            #expect(!store.isSnapshotDue(for: "contacts") && !store.isSnapshotWorthwhile(for: "contacts"))
            try await eventually("the records are pruned") { store.metrics.prunedRecords == 5 }
            #expect(store.latest == JournalSequence(5))
            #expect(try store.texts() == [])
            #expect(throws: StoreError.self) { try store.texts(after: 3) }
            #expect(try await store.append("next", number: 6).value == 6)
            #expect(try store.texts(after: 5) == ["next"])
        }
    }

    @Test("a snapshot of a life that is over, or is another one, is refused", arguments: Implementation.allCases)
    func lateSnapshot(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            try await store.append("a", .begins)
            await #expect(throws: StoreError.self) {
                try await store.write(SnapshotHead(director: "contacts", epoch: "e0", number: 1), [[1]])
            }
            try await store.append("b", .ends)
            await #expect(throws: StoreError.self) {
                try await store.write(SnapshotHead(director: "contacts", epoch: "e1", number: 1), [[1]])
            }
            #expect(try store.chunks(of: "contacts") == nil)
        }
    }

    @Test("the tail sees every record after a position once, in order", arguments: Implementation.allCases)
    func tail(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            try await store.append("0", .begins)
            let reader = Task {
                var texts: [String] = []
                for try await record in store.tail(after: JournalSequence(1)) {
                    texts.append(String(decoding: record.payload, as: UTF8.self))
                    if texts.count == 100 { break }
                }
                return texts
            }
            for index in 1...100 { try await store.append("\(index)") }
            #expect(try await reader.value == (1...100).map(String.init))
        }
    }

    @Test("the tail ends when the store is closed or its task cancelled", arguments: Implementation.allCases)
    func tailEnds(_ implementation: Implementation) async throws {
        try await implementation.run { store in
            let tail = store.tail(after: JournalSequence(0))
            let first = Task<StoredRecord?, any Error> { try await tail.first { _ in true } }
            first.cancel()
            let firstRecord = try await first.value
            #expect(firstRecord == nil)
            let second = Task<StoredRecord?, any Error> { try await tail.first { _ in true } }
            store.close()
            let secondRecord = try await second.value
            #expect(secondRecord == nil)
            await #expect(throws: StoreError.closed) { try await store.append("a", .begins) }
        }
    }
}
