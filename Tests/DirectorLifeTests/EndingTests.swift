import Directors
import Journal
import Testing

@testable import DirectorLife
@testable import callboard_simulation

/// How a life ends on a node without a command there.
@Suite("Lives that end without a command")
struct EndingTests {
    private func ended(_ ending: DirectorLife.Ending, inFlight: Bool) -> (life: DirectorLife, actions: [LifeAction]) {
        var (life, draft) = Fixture.creating(life: 1)
        var actions: [LifeAction] = []
        _ = life.commit(draft, answer: nil, into: &actions)
        actions = []
        if !inFlight { life.stored(isSnapshotDue: false, into: &actions) }
        actions = []
        life.end(ending, into: &actions)
        return (life, actions)
    }

    private func forgetsHooks(_ actions: [LifeAction]) -> Bool {
        actions.contains { if case .hooksChanged(let changes) = $0 { changes.isOver } else { false } }
    }

    @Test("what waits for the hooks of a life is forgotten where it is over, and kept where another life displaces it")
    func hooks() {
        #expect(forgetsHooks(ended(.over, inFlight: false).actions))
        let displaced = ended(.displaced, inFlight: false)
        #expect(displaced.life.phase == .over && !forgetsHooks(displaced.actions))
    }

    @Test(
        "a life with something in flight ends once that is settled", arguments: [DirectorLife.Ending.over, .displaced])
    func inFlight(_ ending: DirectorLife.Ending) throws {
        var (life, actions) = ended(ending, inFlight: true)
        #expect(actions.isEmpty && life.phase == .creating)
        #expect(life.refusal(isRead: true) == (ending == .over ? .over : .elsewhere))
        // One that is over stays so, whatever comes in between.
        life.end(.displaced, into: &actions)
        life.stored(isSnapshotDue: false, into: &actions)
        try life.catchUp(into: &actions)
        #expect(life.phase == .over && forgetsHooks(actions) == (ending == .over))
    }
}
