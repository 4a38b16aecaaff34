import Directors
import Synchronization
import Testing

@testable import Hosting

@Suite("The parts of a host")
struct HostPartTests {
    @Test("who waits for a snapshot is told after the last one, also where the director is over")
    func snapshotTurns() {
        var turns = SnapshotTurns()
        let told = Mutex(0)
        let isIdle = !turns.wait { told.withLock { $0 += 1 } }
        let begins = [turns.want(), turns.want(), turns.want()]
        let waits = turns.wait { told.withLock { $0 += 1 } }
        #expect(isIdle && begins == [true, false, false] && waits && turns.isMaking)
        guard case .snapshot = turns.end(isLiving: true) else {
            Issue.record("what was asked for meanwhile is not made")
            return
        }
        let isWantedAgain = turns.want()
        guard !isWantedAgain, case .tell(let waiting) = turns.end(isLiving: false) else {
            Issue.record("one is made of a director that is over")
            return
        }
        for completion in waiting { completion() }
        #expect(told.withLock { $0 } == 1 && !turns.isMaking)
    }

    @Test("commands that wait for a long one begin in their order, up to the next long one")
    func longCommands() {
        var turns = LongCommandTurns<Int>()
        let begins = !turns.mustWait()
        turns.begin()
        let waits = (1...3).map { number in
            defer { turns.wait(number) }
            return turns.mustWait()
        }
        #expect(begins && waits == [true, true, true] && turns.next() == nil)
        turns.end()
        let first = turns.next()
        // The command whose turn has come begins; one that comes meanwhile waits behind the others.
        let firstWaits = turns.mustWait()
        let lateWaits = turns.mustWait()
        turns.wait(4)
        #expect(first == 1 && !firstWaits && lateWaits && turns.next() == 2)
        let secondWaits = turns.mustWait()
        turns.begin()
        #expect(!secondWaits && turns.next() == nil && turns.waitingCount == 2)
        turns.end()
        var rest: [Int] = []
        while let next = turns.next() {
            rest.append(next)
            _ = turns.mustWait()
        }
        let isFree = !turns.mustWait()
        #expect(rest == [3, 4] && isFree && turns.waitingCount == 0)
    }

    @Test("a changeset is searched for once, for all who ask for the same span meanwhile")
    func searches() {
        var searches = ChangeSearches()
        let isFirst = [1..<3, 1..<3, 1..<4].map { searches.add({ _ in }, over: $0) }
        let found = [1..<3, 1..<3, 1..<4].map { searches.take(over: $0).count }
        let isFirstAgain = searches.add({ _ in }, over: 1..<3)
        #expect(isFirst == [true, false, true] && found == [2, 0, 1] && isFirstAgain)
    }

    @Test("a name has one host: it is not taken twice, nor beyond the bound, and gone only with its own host")
    func registry() async throws {
        try await HostBench.run { bench in
            let registry = bench.environment.registry
            let (first, second, other) = (bench.host("d"), bench.host("d", epoch: "e2"), bench.host("c"))
            func insert(_ host: DirectorHost, _ bound: Int) -> String {
                switch registry.insert(host, bound: bound) {
                case .added: "added"
                case .exists(let there): there.epoch
                case .full: "full"
                }
            }
            #expect(insert(first, 1) == "added" && insert(second, 1) == "e1" && insert(other, 1) == "full")
            #expect(insert(other, 2) == "added" && registry.sorted().map(\.name) == ["c", "d"])
            #expect(registry.replace(with: second) === first)
            registry.remove(first)
            #expect(registry.host(named: "d") === second && registry.count == 2)
            registry.remove(second)
            #expect(registry.host(named: "d") == nil && bench.environment.directorCount == 1)
        }
    }
}
