import DirectorLife
import Journal
import Synchronization
import Testing

extension JournalClaim {
    /// The order of records and of their results.
    static let order = [
        JournalClaim("the records of each life are read back in the order of the appends") { journal, _ in
            #expect(try journal.lives().isEmpty)
            let records: [LifeRecord] = [
                .begin(), .begin("other", epoch: "e9"), .text("b", number: 2),
                .text("x", of: "other", epoch: "e9", number: 2), .text("c", number: 3),
            ]
            for record in records { try await journal.append(record) }
            for director in ["contacts", "other"] {
                let expected = records.filter { $0.director == director }.map(\.content)
                #expect(try journal.contents(of: director) == expected)
            }
            #expect(
                try journal.lives() == [
                    StoredLife(director: "contacts", epoch: "e1", number: 3, snapshot: nil),
                    StoredLife(director: "other", epoch: "e9", number: 2, snapshot: nil),
                ])
        },
        JournalClaim("completions come in the order of the appends") { journal, _ in
            try await journal.append(.begin())
            let seen = Mutex<[Int]>([])
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                for index in 1...500 {
                    journal.append(.text("\(index)", number: index + 1)) { result in
                        let count = seen.withLock { seen in
                            seen.append((try? result.get()) == nil ? 0 : index)
                            return seen.count
                        }
                        if count == 500 { done.resume() }
                    }
                }
            }
            #expect(seen.withLock { $0 } == Array(1...500))
            #expect(try journal.lives().first?.number == 501)
        },
        JournalClaim("records that come together have one result each, and are not one whole") { journal, _ in
            let records: [LifeRecord] = [
                .begin(), .text("b", number: 2), .text("ahead", number: 4), .begin("other"), .text("c", number: 3),
            ]
            let results = Mutex<[Int: Result<Void, StorageError>]>([:])
            let order = Mutex<[Int]>([])
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                journal.append(records) { first, some in
                    let count = results.withLock { results in
                        for (index, result) in zip(first..., some) { results[index] = result }
                        return results.count
                    }
                    order.withLock { $0 += first..<(first + some.count) }
                    if count == records.count { done.resume() }
                }
            }
            #expect(order.withLock { $0.filter { $0 != 3 } } == [0, 1, 2, 4])
            let failures = results.withLock { $0.filter { (try? $0.value.get()) == nil }.keys.sorted() }
            #expect(failures == [2])
            let contents = try journal.contents()
            #expect(contents == [records[0], records[1], records[4]].map(\.content))
        },
        JournalClaim("a pair of records is stored whole, or leaves no trace where either is not its life's next one") {
            journal, _ in
            for director in ["contacts", "other"] { try await journal.append(.begin(director)) }
            let answer = StoredAnswer(key: "k", fingerprint: 1, body: [1], expires: .max)
            let pair: (LifeRecord, LifeRecord) = (
                .text("b", number: 2, answer: answer), .text("x", of: "other", number: 2)
            )
            let misfits: [(LifeRecord, LifeRecord)] = [
                (.text("b", number: 3), pair.1), (pair.0, .text("x", of: "other", number: 1)),
                (pair.0, .text("x", of: "nobody", number: 2)),
                (pair.0, .text("x", of: "other", epoch: "e2", number: 2)),
            ]
            for (one, other) in misfits {
                for (first, second) in [(one, other), (other, one)] {
                    let error = await #expect(throws: StorageError.self) {
                        try await journal.append(first, with: second)
                    }
                    guard case .superseded? = error else {
                        Issue.record("refused as \(String(describing: error))")
                        continue
                    }
                }
            }
            #expect(try journal.contents() == [LifeRecord.begin().content])
            #expect(try journal.contents(of: "other") == [LifeRecord.begin("other").content])
            #expect(try journal.answers(of: "contacts").isEmpty)
            try await journal.append(pair.0, with: pair.1)
            #expect(try journal.contents() == [LifeRecord.begin(), pair.0].map(\.content))
            #expect(try journal.contents(of: "other") == [LifeRecord.begin("other"), pair.1].map(\.content))
            #expect(try journal.answers(of: "contacts") == [answer])
        },
        JournalClaim("a pair's result comes in the order of the appends of both directors") { journal, _ in
            for director in ["contacts", "other"] { try await journal.append(.begin(director)) }
            let seen = Mutex<[String]>([])
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let note: @Sendable (String, Result<Void, StorageError>) -> Void = { name, result in
                    let count = seen.withLock { seen in
                        seen.append((try? result.get()) == nil ? "\(name) failed" : name)
                        return seen.count
                    }
                    if count == 300 { done.resume() }
                }
                for index in 0..<100 {
                    let number = 2 + index * 2
                    journal.append(.text("a", number: number)) { note("a\(index)", $0) }
                    journal.append(
                        .text("b", number: number + 1), with: .text("b", of: "other", number: number)
                    ) { note("b\(index)", $0) }
                    journal.append(.text("c", of: "other", number: number + 1)) { note("c\(index)", $0) }
                }
            }
            #expect(seen.withLock { $0 } == (0..<100).flatMap { ["a\($0)", "b\($0)", "c\($0)"] })
            #expect(try journal.lives().map(\.number) == [201, 201])
        },
        JournalClaim("a journal that is closed refuses records") { journal, _ in
            try await journal.append(.begin())
            journal.close()
            await #expect(throws: StorageError.unavailable("the journal is closed")) {
                try await journal.append(.text("b", number: 2))
            }
        },
    ]

    /// Which record may follow which.
    static let following = [
        JournalClaim("a record that is not its life's next one is superseded and leaves no trace") { journal, _ in
            await refuses(journal, .text("too early", number: 1))
            await refuses(journal, .begin("contacts", epoch: "e1").numbered(2))
            try await journal.append(.begin())
            await refuses(journal, .begin())
            await refuses(journal, .begin(epoch: "e2"))
            await refuses(journal, .text("repeated", number: 1))
            await refuses(journal, .text("ahead", number: 3))
            await refuses(journal, .text("of another life", epoch: "e2", number: 2))
            await refuses(journal, .end(number: 3))
            try await journal.append(.text("b", number: 2))
            #expect(try journal.contents() == [LifeRecord.begin(), .text("b", number: 2)].map(\.content))
        },
        JournalClaim("with the first of several records in flight all fail that follow it") { journal, _ in
            try await journal.append(.begin())
            // Number 2 is missing: as if it had failed while 3 and 4 were in flight already.
            for number in 3...4 { await refuses(journal, .text("\(number)", number: number)) }
            try await journal.append(.text("b", number: 2))
            try await journal.append(.text("c", number: 3))
            #expect(
                try journal.contents()
                    == [LifeRecord.begin(), .text("b", number: 2), .text("c", number: 3)].map(\.content))
        },
        JournalClaim("a life that has ended can be followed by another of the name") { journal, _ in
            try await journal.append(.begin())
            try await journal.append(.end(number: 2))
            #expect(try journal.lives().isEmpty)
            await refuses(journal, .text("c", number: 3))
            try await journal.append(.begin(epoch: "e2"))
            let life = StoredLife(director: "contacts", epoch: "e2", number: 1, snapshot: nil)
            #expect(try journal.lives() == [life])
            #expect(try journal.contents() == [LifeRecord.begin(epoch: "e2").content])
        },
    ]

    /// Expects that a record is superseded.
    static func refuses(
        _ journal: any RecoverableJournal, _ record: LifeRecord, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
            try await journal.append(record)
        }
        guard case .superseded? = error else {
            Issue.record("refused as \(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
    }
}

extension LifeRecord {
    /// The same record with another number.
    fileprivate func numbered(_ number: Int) -> LifeRecord {
        LifeRecord(director: director, epoch: epoch, number: number, entries: entries, answer: answer)
    }
}
