import DirectorLife
import Notation
import Testing

@testable import Journal

/// The order of what a node does in a look, and what follows from a failure.
@Suite("Following, as a value")
struct FollowerMachineTests {
    private let start = ContinuousClock.now
    private var state: WritingState { WritingState(leaseEnd: start + .seconds(8)) }

    private func machine() -> FollowerMachine {
        FollowerMachine(
            node: 1, SharingSettings(retention: VersionRetention(count: 8, bytes: 1 << 20), limits: .none),
            lease: .seconds(8), now: start)
    }

    private func row(_ id: Int, owner: Int = 2, head: Int = 1) -> LifeRow {
        LifeRow(id: id, name: LifeName(director: "d\(id)", epoch: "e\(id)"), owner: owner, term: 1, head: head)
    }

    private func look(
        _ machine: inout FollowerMachine, _ rows: [LifeRow], tokens: [Int] = [0, 0], written: Int? = nil
    ) {
        let found = FollowerMachine.Found(state.lookStart, rows: rows.map { .life($0) }, tokens: tokens)
        let writing = written.map { OwnWriting(number: $0, term: 1) }
        machine.looked(found, start, holds: { _ in true }, writing: { _ in writing })
    }

    /// The names of so many actions.
    private func names(_ machine: inout FollowerMachine, _ count: Int) -> [String] {
        (0..<count).map { _ in name(machine.next(start)) }
    }

    private func next(_ machine: inout FollowerMachine, _ now: Duration = .zero) -> FollowerMachine.Action? {
        machine.next(start + now)
    }

    private func name(_ action: FollowerMachine.Action?) -> String {
        action.map { String("\($0)".prefix { $0 != "(" }) } ?? "nothing"
    }

    /// The lives that are to be read as a whole.
    private func loads(_ machine: inout FollowerMachine) throws -> [LifeRow] {
        let job = machine.nextJob(of: .loading, start)
        guard case .load(let rows)? = job else { throw Unexpected(job: job) }
        return rows
    }

    private struct Unexpected: Error { let job: FollowerMachine.Job? }

    /// Makes a whole look at everything.
    private func lookThrough(_ machine: inout FollowerMachine, _ rows: [LifeRow], _ names: Set<Name> = []) {
        machine.begin(start, names, isAll: true, isConnected: true)
        _ = next(&machine)
        look(&machine, rows)
        while next(&machine) != nil {}
    }

    /// The reasons for which lives are set aside in a whole look.
    private func setAside(_ machine: inout FollowerMachine, _ rows: [LifeRow], written: Int? = nil) -> [String] {
        machine.begin(start, [], isAll: true, isConnected: true)
        _ = next(&machine)
        look(&machine, rows, written: written)
        var reasons: [String] = []
        while let action = next(&machine) {
            if case .setAside(_, because: let reason?) = action { reasons.append(reason) }
        }
        return reasons
    }

    @Test("a list that no node has loaded is set aside where an earlier look has found more records of it")
    func setBackUnloaded() {
        var machine = machine()
        #expect(setAside(&machine, [row(1, head: 7), row(2, head: 3)]) == [])
        let reasons = setAside(&machine, [row(1, head: 5), row(2, head: 4)])
        #expect(
            reasons.count == 1 && reasons.first?.contains("7 records of the list were stored, and it holds 5") == true)
    }

    @Test("a list is set aside where its owner has written more records of it before an earlier look")
    func setBackOwned() {
        var machine = machine()
        #expect(setAside(&machine, [row(1, owner: 1, head: 1)], written: 1) == [])
        #expect(setAside(&machine, [row(1, owner: 1, head: 1)], written: 9) == [], "these came after the row was read")
        let reasons = setAside(&machine, [row(1, owner: 1, head: 6)], written: 9)
        #expect(
            reasons.count == 1 && reasons.first?.contains("9 records of the list were stored, and it holds 6") == true)
    }

    @Test("a new connection is written to before it is read from, and a look counts the lease from before it")
    func order() {
        var machine = machine()
        machine.begin(start, [], isAll: false, isConnected: false)
        let taken3 = names(&machine, 3)
        #expect(taken3 == ["connect", "waitForStandbys", "look"])
        look(&machine, [row(1)])
        let taken4 = names(&machine, 4)
        #expect(taken4 == ["readTokens", "place", "extendLease", "answer"])
        #expect(machine.deadline(start) == start + machine.settings.lookInterval)
        let rest = next(&machine)
        #expect(name(rest) == "nothing")
    }

    @Test("a connection that was there is replaced once; a look that fails then answers with the error, and waits")
    func failure() throws {
        var machine = machine()
        machine.begin(start, [], isAll: true, isConnected: true)
        let first = names(&machine, 1)
        #expect(first == ["look"])
        machine.failed(.unavailable("lost"), isOfContent: false, isLost: true, start)
        let taken3 = names(&machine, 3)
        #expect(taken3 == ["connect", "waitForStandbys", "look"])
        machine.failed(.unavailable("lost again"), isOfContent: false, isLost: true, start)
        var answers: [JournalError?] = []
        while let action = next(&machine) { if case .answer(let error) = action { answers.append(error) } }
        #expect(answers == [.unavailable("lost again")])
        #expect(machine.refusal(start) == "lost again")
        #expect(machine.refusal(start + machine.settings.retryDelay) == nil)
        #expect(machine.deadline(start) == start + machine.settings.retryDelay)
    }

    @Test("lives that cannot be read together are read one by one, and what cannot be read is set aside for a while")
    func unreadable() throws {
        var machine = machine()
        lookThrough(&machine, [row(1), row(2)], ["d1", "d2"])
        let both = try loads(&machine)
        #expect(Set(both) == [row(1), row(2)])
        let damage = JournalError.damaged(JournalDamage(director: nil, place: "life 2", detail: "it is cut off"))
        machine.failed(damage, of: .loading, isOfContent: true, start)
        var asides: [String] = []
        for _ in 0..<2 {
            let rows = try loads(&machine)
            if rows == [row(2)] {
                machine.failed(damage, of: .loading, isOfContent: true, start)
                if case .setAside(let life, let reason?)? = next(&machine) {
                    asides.append("\(life.director): \(reason)")
                }
            } else {
                #expect(rows == [row(1)])
                let isLoaded = machine.loaded(row(1), number: 1)
                #expect(isLoaded)
                machine.finished(.loading)
            }
        }
        #expect(asides == ["d2: \(damage)"])
        #expect(machine.directory.lives[1]?.standing == .followed)
        #expect(machine.directory.lives[2]?.standing == .unloaded)
    }

    @Test("records that do not follow have their life loaded; so have records that are not there")
    func gaps() throws {
        var machine = machine()
        lookThrough(&machine, (1...3).map { row($0) }, ["d1", "d2", "d3"])
        for row in try loads(&machine) { _ = machine.loaded(row, number: 1) }
        machine.finished(.loading)
        machine.begin(start, [], isAll: true, isConnected: true)
        _ = next(&machine)
        look(&machine, (1...3).map { row($0, head: 4) })
        let first = names(&machine, 1)
        #expect(first == ["fetch"])
        let isNext = machine.isNext(2, of: 1)
        #expect(isNext)
        machine.performed(1, through: 4)
        let isGapNext = machine.isNext(3, of: 2)
        #expect(!isGapNext)
        while next(&machine) != nil {}
        let loaded = try loads(&machine)
        #expect(Set(loaded.map(\.id)) == [2, 3])
        #expect(machine.status.restarts == 2)
    }

    @Test("a look does not wait for a life that is loaded; who asks for it does")
    func loading() throws {
        var machine = machine()
        lookThrough(&machine, [row(1), row(2)], ["d1"])
        _ = try loads(&machine)
        #expect(!machine.isReady(["d1"]) && machine.isReady(["d2"]) && machine.isReady(nil))
        #expect(machine.nextJob(of: .loading, start) == nil)
        // Looks go on, and neither read its records nor ask for it again.
        lookThrough(&machine, [row(1, head: 3), row(2)], ["d1"])
        #expect(machine.status.looks == 2 && !machine.isReady(["d1"]))
        let isLoaded = machine.loaded(row(1), number: 2)
        machine.finished(.loading)
        #expect(isLoaded && machine.isReady(["d1"]) && machine.nextJob(of: .loading, start) == nil)
        // What was stored since is looked at at once.
        #expect(machine.deadline(start) == start)
    }

    @Test("a life that is over when it is loaded is dropped")
    func over() throws {
        var machine = machine()
        lookThrough(&machine, [row(1)], ["d1"])
        _ = try loads(&machine)
        lookThrough(&machine, [])
        let isLoaded = machine.loaded(row(1), number: 1)
        #expect(!isLoaded && machine.directory.lives.isEmpty)
    }

    @Test("what is adopted is adopted under the ownership that the newest look has found")
    func adopting() throws {
        var machine = machine()
        func own(_ owner: Int, term: Int) -> LifeRow {
            LifeRow(id: 1, name: row(1).name, owner: owner, term: term, head: 1)
        }
        lookThrough(&machine, [own(1, term: 1)])
        for row in try loads(&machine) { _ = machine.loaded(row, number: 1) }
        machine.finished(.loading)
        lookThrough(&machine, [own(1, term: 1)])
        let job = machine.nextJob(of: .loading, start)
        #expect(job == .adopt([own(1, term: 1)]))
        #expect(machine.mayAdopt(1, owner: 1, term: 1, number: 1))
        // It was taken and given back meanwhile, or taken.
        lookThrough(&machine, [own(1, term: 3)])
        #expect(!machine.mayAdopt(1, owner: 1, term: 1, number: 1) && machine.mayAdopt(1, owner: 1, term: 3, number: 1))
        lookThrough(&machine, [own(2, term: 4)])
        #expect(!machine.mayAdopt(1, owner: 1, term: 3, number: 1))
    }
}
