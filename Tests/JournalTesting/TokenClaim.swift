import Access
import DirectorLife
import Journal
import Synchronization
import TestSupport
import Testing

/// Something that each store of tokens does.
package struct TokenClaim: Sendable, CustomTestStringConvertible {
    /// What is claimed, a sentence without its full stop.
    package let testDescription: String
    /// Tests the claim on an empty store.
    package let check: @Sendable (any TokenStore) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (any TokenStore) async throws -> Void) {
        testDescription = description
        self.check = check
    }

    /// All claims.
    package static let all = order + changes

    private static let order = [
        TokenClaim("what was put is there again as it was, ordered by its time and its identifier") { store in
            #expect(try store.tokens() == [])
            let full = TokenEntry(
                id: "tok_0000000000000007", name: "Küche „1“ \u{1F373}", digest: TokenDigest(of: "full"),
                grants: try Grants([
                    Grant([.read, .report], on: [DirectorPattern("menu-*"), DirectorPattern("Ünïcode \"x\"")]),
                    Grant([.operate], on: []),
                ]), createdAt: 1_700_000_000, expiresAt: 1_800_000_000, lastUsedAt: 1_750_000_000)
            let bare = TokenEntry(
                id: "tok_b", name: "", digest: TokenDigest(of: "bare"), grants: .nothing, createdAt: 5)
            let same = TokenEntry(
                id: "tok_a", name: "n", digest: TokenDigest(of: "same"), grants: .everything, createdAt: 5)
            try await store.write([.put(full), .put(bare), .put(same)])
            #expect(try store.tokens() == [same, bare, full])
        },
        TokenClaim("a name comes back byte for byte, whatever characters it has") { store in
            for (number, text) in StoredTexts.all.enumerated() {
                try await store.write([.put(.sample(number + 1, name: text))])
            }
            let found = try store.tokens().map { Array($0.name.utf8) }
            #expect(found == StoredTexts.all.map { Array($0.utf8) })
        },
        TokenClaim("completions come in the order of the calls") { store in
            let seen = Mutex<[Int]>([])
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                for index in 1...300 {
                    // Every third one fails.
                    let token = TokenEntry.sample(index, digest: index.isMultiple(of: 3) ? 1 : index)
                    store.write([.put(token)]) { result in
                        if case .failure = result { #expect(index.isMultiple(of: 3)) }
                        let count = seen.withLock { seen in
                            seen.append(index)
                            return seen.count
                        }
                        if count == 300 { done.resume() }
                    }
                }
            }
            #expect(seen.withLock { $0 } == Array(1...300))
            let expected = (1...300).filter { !$0.isMultiple(of: 3) }.map { TokenEntry.sample($0) }
            let found = try store.tokens()
            #expect(found == expected)
        },
    ]

    private static let changes = [
        TokenClaim("a change in place, a use and a removal count, and made twice they are the same") { store in
            try await store.write([.put(.sample(1)), .put(.sample(2)), .put(.sample(3))])
            let changed = TokenEntry.sample(2, name: "another", digest: 20)
            var used = TokenEntry.sample(3)
            used.lastUsedAt = 99
            for _ in 0..<2 {
                try await store.write([
                    .put(changed), .remove(id: TokenEntry.sample(1).id), .remove(id: "tok_none"),
                    .used(id: used.id, at: 99), .used(id: "tok_none", at: 99),
                ])
                #expect(try store.tokens() == [changed, used])
            }
            try await store.write([.put(.sample(4)), .remove(id: TokenEntry.sample(4).id)])
            #expect(try store.tokens() == [changed, used])
        },
        TokenClaim("two tokens never have one digest, and changes that fail leave no trace") { store in
            try await store.write([.put(.sample(1)), .put(.sample(2))])
            let refused: [[TokenChange]] = [
                [.put(.sample(3, digest: 1))],
                [.put(.sample(3)), .remove(id: TokenEntry.sample(2).id), .put(.sample(4, digest: 1))],
                [.put(.sample(2, digest: 5)), .used(id: TokenEntry.sample(1).id, at: 7), .put(.sample(2, digest: 1))],
                [.put(.sample(3)), .put(.sample(4, digest: 3))],
            ]
            for changes in refused {
                let error = await #expect(throws: StorageError.self) { try await store.write(changes) }
                guard case .superseded? = error else { throw ConditionNeverHeld(what: "a refusal as superseded") }
                #expect(try store.tokens() == [.sample(1), .sample(2)])
            }
            try await store.write([.remove(id: TokenEntry.sample(1).id), .put(.sample(3, digest: 1))])
            #expect(try store.tokens() == [.sample(2), .sample(3, digest: 1)])
        },
        TokenClaim("random changes leave what a dictionary would") { store in
            let seed = SeededGenerator.seedOfRun("stores of tokens")
            var random = SeededGenerator(seed: seed)
            var expected: [String: TokenEntry] = [:]
            for step in 0..<200 {
                let changes = (0...random.below(4)).map { _ in TokenChange.random(&random) }
                for change in changes { change.make(in: &expected) }
                try await store.write(changes)
                guard step.isMultiple(of: 10) else { continue }
                #expect(try store.tokens() == TokenBook(Array(expected.values)).sorted, "seed \(seed), step \(step)")
            }
        },
    ]
}

extension JournalClaim {
    /// What a journal's store of tokens does: what each does, and beside the records.
    static let tokens =
        TokenClaim.all.map { claim in
            JournalClaim("tokens: \(claim.testDescription)") { journal, _ in try await claim.check(journal.tokens) }
        } + [
            JournalClaim("records, deliveries and tokens are stored side by side") { journal, _ in
                try await journal.append(.begin())
                try await journal.tokens.write([.put(.sample(1))])
                try await journal.deliveries.write([.put(.sample(1))])
                try await journal.append(.text("b", number: 2))
                try await journal.tokens.write([.put(.sample(2)), .remove(id: TokenEntry.sample(1).id)])
                try await journal.append(.end(number: 3))
                #expect(try journal.lives().isEmpty)
                #expect(try journal.deliveries.deliveries().map(\.sequence) == [1])
                #expect(try journal.tokens.tokens() == [.sample(2)])
            },
            JournalClaim("a journal that is closed refuses tokens") { journal, _ in
                journal.close()
                let error = await #expect(throws: StorageError.self) {
                    try await journal.tokens.write([.put(.sample(1))])
                }
                guard case .unavailable(let what)? = error else { throw ConditionNeverHeld(what: "a refusal") }
                #expect(what.hasSuffix("is closed"))
            },
        ]
}
