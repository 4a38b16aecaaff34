import Directors
import Journal
import Synchronization
import TestSupport
import Testing

/// Something that each store of deliveries does.
package struct DeliveryClaim: Sendable, CustomTestStringConvertible {
    /// What is claimed, a sentence without its full stop.
    package let testDescription: String
    /// Tests the claim on an empty store.
    package let check: @Sendable (any DeliveryStore) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (any DeliveryStore) async throws -> Void) {
        testDescription = description
        self.check = check
    }

    /// All claims.
    package static let all = [
        DeliveryClaim("every text of a delivery comes back byte for byte, whatever characters it has") { store in
            let deliveries = StoredTexts.all.enumerated().map { number, text in
                var delivery = Delivery(
                    sequence: number + 1, id: "msg_\(text)",
                    address: HookAddress(director: text, epoch: "e", level: .cell(text), event: "didSelect"),
                    created: WallTime(milliseconds: 1_700_000_000_000), body: Array(text.utf8))
                delivery.lastError = text
                return delivery
            }
            try await store.write(deliveries.map { .put($0) })
            let found = try store.deliveries()
            #expect(found.map { Array($0.id.utf8) } == deliveries.map { Array($0.id.utf8) })
            #expect(found.map { Array(($0.lastError ?? "?").utf8) } == StoredTexts.all.map { Array($0.utf8) })
            #expect(found.map { Array($0.address.director.utf8) } == StoredTexts.all.map { Array($0.utf8) })
        },
        DeliveryClaim("what was put is there again as it was, in the order of the sequences") { store in
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
        },
        DeliveryClaim("a change in place and a removal count, and made twice they are the same") { store in
            try await store.write([.put(.sample(1)), .put(.sample(2)), .put(.sample(3))])
            var changed = Delivery.sample(2)
            changed.attempts = 1
            for _ in 0..<2 {
                try await store.write([.put(changed), .remove(1), .remove(99)])
                #expect(try store.deliveries() == [changed, .sample(3)])
            }
            try await store.write([.put(.sample(4)), .remove(4)])
            #expect(try store.deliveries() == [changed, .sample(3)])
        },
        DeliveryClaim("completions come in the order of the calls") { store in
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
        },
        DeliveryClaim("random changes leave what a dictionary would") { store in
            let seed = SeededGenerator.seedOfRun("stores of deliveries")
            var random = SeededGenerator(seed: seed)
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
        },
    ]
}

extension JournalClaim {
    /// What a journal's store of deliveries does: what each does, and beside the records.
    static let deliveries =
        DeliveryClaim.all.map { claim in
            JournalClaim("deliveries: \(claim.testDescription)") { journal, _ in
                try await claim.check(journal.deliveries)
            }
        } + [
            JournalClaim("records and deliveries are stored side by side") { journal, _ in
                try await journal.append(.begin())
                try await journal.deliveries.write([.put(.sample(1))])
                try await journal.append(.text("b", number: 2))
                try await journal.append(.end(number: 3))
                try await journal.deliveries.write([.put(.sample(2))])
                try await journal.append(.begin(epoch: "e2"))
                #expect(try journal.lives().map(\.epoch) == ["e2"])
                #expect(try journal.deliveries.deliveries().map(\.sequence) == [1, 2])
            },
            JournalClaim("a journal that is closed refuses deliveries") { journal, _ in
                journal.close()
                let error = await #expect(throws: DeliveryStoreError.self) {
                    try await journal.deliveries.write([.put(.sample(1))])
                }
                guard case .unavailable(let what)? = error else { throw ConditionNeverHeld(what: "a refusal") }
                #expect(what.hasSuffix("is closed"))
            },
        ]
}

extension DeliveryStore {
    /// Makes changes and waits for the result.
    package func write(_ changes: [DeliveryChange]) async throws {
        try await withCheckedContinuation { continuation in
            write(changes) { continuation.resume(returning: $0) }
        }.get()
    }
}

extension Delivery {
    /// A delivery that waits.
    package static func sample(
        _ sequence: Int, director: String = "contacts", epoch: String = "e1", level: HookLevel = .cell("Contact"),
        body: [UInt8] = [1, 2, 3]
    ) -> Delivery {
        Delivery(
            sequence: sequence, id: "msg_\(sequence)",
            address: HookAddress(director: director, epoch: epoch, level: level, event: "didSelect"),
            created: WallTime(milliseconds: 1_700_000_000_000 + sequence), body: body)
    }

    /// Any delivery.
    package static func random(_ sequence: Int, _ random: inout SeededGenerator) -> Delivery {
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
