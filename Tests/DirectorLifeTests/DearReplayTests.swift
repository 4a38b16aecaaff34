import JSONValues
import Testing

@testable import DirectorLife
@testable import Directors

/// That a start is bounded by what the records cost, and not by their length alone.
@Suite("Snapshots of what costs much to perform again")
struct DearReplayTests {
    private func snapshots(_ life: inout DirectorLife, _ change: (inout LifeDraft) throws -> Void) rethrows -> Int {
        var (actions, draft): ([LifeAction], LifeDraft) = ([], life.draft())
        try change(&draft)
        _ = life.commit(draft, into: &actions)
        life.stored(isSnapshotDue: false, into: &actions)
        return actions.count { if case .snapshot = $0 { true } else { false } }
    }

    @Test("one is made once records cost more than a second, however short they are, and then not again")
    func due() throws {
        var director = Director(name: "d", epoch: "e", properties: .table(TableProperties()))
        director.work = BatchWork.second
        var life = DirectorLife(creating: director, retention: VersionRetention(count: 2, bytes: 1 << 20))
        #expect(snapshots(&life) { $0.create() } == 0)
        #expect(life.stored.isReplayWorthSnapshot)
        let operation = Directors.Operation.setVariable(name: "v", value: try JSONValue(parsing: "1"))
        #expect(try snapshots(&life) { _ = try $0.perform([operation]) } == 1)
        #expect(!life.stored.isReplayWorthSnapshot)
        #expect(try snapshots(&life) { _ = try $0.perform([operation]) } == 0)
    }

    @Test("what a start has performed again counts on, also with other limits")
    func restart() {
        var director = Director(name: "d", epoch: "e", properties: .table(TableProperties()))
        director.work = 5
        #expect(director.restored(limits: DirectorLimits()).work == 5)
    }
}
