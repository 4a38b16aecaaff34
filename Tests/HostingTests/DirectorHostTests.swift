import DirectorLife
import Directors
import Feed
import JSONValues
import Journal
import Synchronization
import Testing

@testable import Hosting

@Suite("A director's host")
struct DirectorHostTests {
    @Test("a turn's records are stored by one call, and each command is answered once its own record is stored")
    func commands() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            for text in ["a", "b", "c"] { bench.write(text, to: host) }
            #expect(bench.journal.calls == [1] && host.isStoring)
            bench.stepper.turn()
            #expect(bench.journal.calls == [1, 3] && bench.takeResults().isEmpty)
            bench.settle(.success(()))
            #expect(bench.takeResults() == ["a stored"] && host.isStoring)
            bench.settle(.success(()), count: 2)
            #expect(bench.takeResults() == ["b stored", "c stored"] && !host.isStoring)
            #expect(bench.on(host) { $0.stored.number } == 4)
        }
    }

    @Test("a full call does not wait for the end of the turn")
    func fullCall() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            bench.on(host) { host in
                for number in 0...LoopJournal.limit {
                    var draft = host.draft()
                    _ = try? draft.perform([.setVariable(name: "text", value: JSONValue(string: "\(number)"))])
                    host.commit(draft) { _ in }
                }
            }
            #expect(bench.journal.calls == [1, LoopJournal.limit])
            bench.stepper.turn()
            #expect(bench.journal.calls == [1, LoopJournal.limit, 1])
        }
    }

    @Test("a record that is lost takes those behind it along, and the next command begins from what is stored")
    func loss() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            for text in ["a", "b"] { bench.write(text, to: host) }
            let count = bench.on(host) { $0.workingCount }
            bench.stepper.turn()
            bench.settle(.failure(.full("no room")), count: 2)
            // What was carried out on what is lost is of no use, although the record's number comes again.
            #expect(bench.on(host) { $0.workingCount } > count)
            #expect(bench.takeResults() == ["a no room", "b no room"] && !host.isStoring)
            bench.write("c", to: host)
            bench.stepper.turn()
            bench.settle(.success(()))
            #expect(bench.takeResults() == ["c stored"] && bench.on(host) { $0.stored.number } == 2)
        }
    }

    @Test("any thread sees whether the director lives and which version is newest, as what is stored says")
    func facts() async throws {
        try await HostBench.run { bench in
            let host = bench.host()
            bench.commit("created", to: host) { $0.create() }
            #expect(!host.isLiving && host.isOwned && host.isStoring && host.newestVersion == 0)
            bench.stepper.turn()
            bench.settle(.success(()))
            #expect(host.isLiving && !host.isStoring && !host.isStreaming)
            for version in 1...2 {
                bench.commit("published", to: host) { draft in
                    _ = try? draft.perform([.sections(.add([SectionDraft(identifier: "s\(version)")]))])
                    _ = try? draft.publish(nil)
                }
                bench.stepper.turn()
                #expect(host.newestVersion == version - 1)
                bench.settle(.success(()))
                #expect(host.newestVersion == version)
            }
            bench.commit("deleted", to: host) { $0.delete() }
            #expect(!host.isLiving && host.isStoring)
        }
    }

    @Test("a director that is deleted is forgotten, and only its own host is")
    func deletion() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            _ = bench.environment.registry.insert(host, bound: 9)
            bench.commit("deleted", to: host) { $0.delete() }
            bench.stepper.turn()
            #expect(bench.environment.registry.host(named: "d") === host)
            bench.settle(.success(()))
            #expect(bench.environment.registry.host(named: "d") == nil && bench.takeResults() == ["deleted stored"])
        }
    }

    // MARK: Snapshots

    @Test("one snapshot is made at a time, then one of the newest state, and who waits is told after the last")
    func snapshots() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            bench.journal.makeSnapshotsDue()
            for text in ["a", "b", "c"] { bench.write(text, to: host) }
            bench.stepper.turn()
            bench.settle(.success(()), count: 3)
            #expect(bench.journal.snapshots == [2])
            let told = Mutex(0)
            bench.on(host) { $0.shortenLog(isLong: true) { told.withLock { $0 += 1 } } }
            bench.journal.endSnapshot()
            bench.stepper.turn()
            #expect(bench.journal.snapshots == [4] && told.withLock { $0 } == 0)
            bench.journal.endSnapshot()
            bench.stepper.turn()
            #expect(bench.journal.snapshots == [] && told.withLock { $0 } == 1)
            // Nothing is worth one: the caller is told at once.
            bench.on(host) { $0.shortenLog(isLong: false) { told.withLock { $0 += 1 } } }
            #expect(bench.journal.snapshots == [] && told.withLock { $0 } == 2)
        }
    }

    // MARK: Streams

    @Test("a stream that is on its way keeps the hub, which goes with the last one")
    func streaming() async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            let hubs = Mutex<[FeedHub]>([])
            for _ in 0..<2 {
                host.open(SubscriptionTerms(), on: host.loop, isLate: false) { opening, hub in
                    hubs.withLock { $0.append(hub) }
                    #expect(opening.end == nil && !opening.events.isEmpty)
                }
            }
            #expect(!host.isStreaming)
            bench.stepper.turn()
            let found = hubs.withLock { $0 }
            #expect(host.isStreaming && found.count == 2 && found[0] === found[1])
            for isLast in [false, true] {
                found[0].send { $0.giveUpPlace() }
                for _ in 0..<2 { bench.stepper.turn() }
                #expect(host.isStreaming == !isLast)
            }
        }
    }

    @Test("a stream that comes after the director's end, or its move, is told so", arguments: [false, true])
    func lateStream(isMoved: Bool) async throws {
        try await HostBench.run { bench in
            let host = bench.livingHost()
            bench.on(host) { if isMoved { $0.retire() } else { $0.endElsewhere() } }
            let ends = Mutex<[FeedEnd?]>([])
            host.open(SubscriptionTerms(), on: host.loop, isLate: false) { opening, _ in
                ends.withLock { $0.append(opening.end) }
            }
            bench.stepper.turn()
            #expect(ends.withLock { $0 } == [isMoved ? .moved : .over])
        }
    }
}
