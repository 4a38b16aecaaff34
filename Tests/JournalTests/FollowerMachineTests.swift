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

    private func look(_ machine: inout FollowerMachine, _ rows: [LifeRow], tokens: [Int] = [0, 0]) {
        let found = FollowerMachine.Found(state.lookStart, rows: rows.map { .life($0) }, tokens: tokens)
        machine.looked(found, start, holds: { _ in true }, writing: { _ in nil })
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
        let action = next(&machine)
        guard case .load(let rows)? = action else { throw Unexpected(action: name(action)) }
        return rows
    }

    private struct Unexpected: Error { let action: String }

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
        machine.begin(start, ["d1", "d2"], isAll: true, isConnected: true)
        _ = next(&machine)
        look(&machine, [row(1), row(2)])
        let first = names(&machine, 1)
        #expect(first == ["load"])
        let damage = JournalError.damaged(JournalDamage(director: nil, place: "life 2", detail: "it is cut off"))
        machine.failed(damage, isOfContent: true, isLost: true, start)
        var asides: [String] = []
        for _ in 0..<2 {
            let taken2 = names(&machine, 2)
            #expect(taken2 == ["connect", "waitForStandbys"])
            let rows = try loads(&machine)
            if rows == [row(2)] {
                machine.failed(damage, isOfContent: true, isLost: true, start)
                if case .setAside(let life, let reason?)? = next(&machine) {
                    asides.append("\(life.director): \(reason)")
                }
            } else {
                #expect(rows == [row(1)])
                machine.loaded(row(1), number: 1)
                machine.isConnected = false
            }
        }
        #expect(asides == ["d2: \(damage)"])
        #expect(machine.directory.lives[1]?.standing == .followed)
        #expect(machine.directory.lives[2]?.standing == .unloaded)
    }

    @Test("records that do not follow have their life loaded; so have records that are not there")
    func gaps() throws {
        var machine = machine()
        machine.begin(start, [], isAll: true, isConnected: true)
        _ = next(&machine)
        look(&machine, [])
        for id in 1...3 { machine.loaded(row(id), number: 1) }
        while next(&machine) != nil {}
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
        let loaded = try loads(&machine)
        #expect(Set(loaded.map(\.id)) == [2, 3])
        #expect(machine.status.restarts == 2)
    }
}
