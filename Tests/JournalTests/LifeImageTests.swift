import DirectorLife
import Notation
import Testing

@testable import Journal

/// The rows that a look at everything goes by, where it reads what has changed.
@Suite("The image of all lives")
struct LifeImageTests {
    private let start = ContinuousClock.now

    private func row(_ id: Int, head: Int = 1) -> LifeRow {
        LifeRow(id: id, name: LifeName(director: "d\(id)", epoch: "e"), owner: 2, term: 1, head: head)
    }

    private func found(_ rows: [LifeRow], changed: Set<Int>? = nil, position: Int? = 7) -> FollowerMachine.Found {
        let start = WritingState(leaseEnd: start).lookStart
        return FollowerMachine.Found(start, rows: rows.map { .life($0) }, changed: changed, position: position)
    }

    private func heads(_ rows: [FollowerMachine.FoundRow]?) -> [Int: Int]? {
        rows.map { rows in
            Dictionary(
                uniqueKeysWithValues: rows.compactMap {
                    if case .life(let row) = $0 { (row.id, row.head) } else { nil }
                })
        }
    }

    @Test("what has changed takes the place of what was there, and what is gone is gone")
    func changes() {
        var image = LifeImage()
        #expect(image.position(start) == nil)
        #expect(
            heads(image.note(found([row(1), row(2), row(3)]), besides: [], began: start, start)) == [1: 1, 2: 1, 3: 1])
        #expect(image.position(start) == 7)
        let next = found([row(2, head: 5), row(4)], changed: [2, 3, 4], position: 9)
        #expect(heads(image.note(next, besides: [1, 2, 7], began: start, start)) == [1: 1, 2: 5, 4: 1])
        #expect(image.has(1) && image.has(4) && !image.has(3))
        let none = found([], changed: [], position: 9)
        #expect(heads(image.note(none, besides: [4], began: start, start)) == [4: 1])
        #expect(image.position(start) == 9)
        #expect(heads(image.note(found([row(1)]), besides: [], began: start, start)) == [1: 1])
        image.forget()
        #expect(image.position(start) == nil)
    }

    @Test("everything is read after a pause, once a minute, and where there are no notes")
    func whole() {
        var image = LifeImage()
        _ = image.note(found([row(1)]), besides: [], began: start, start)
        #expect(image.position(start + .seconds(29)) == 7 && image.position(start + .seconds(30)) == nil)
        for second in stride(from: 20, through: 40, by: 20) {
            let now = start + .seconds(second)
            _ = image.note(found([], changed: [], position: 8), besides: [], began: now, now)
        }
        #expect(image.position(start + .seconds(59)) == 8 && image.position(start + .seconds(60)) == nil)
        _ = image.note(found([row(1)], position: nil), besides: [], began: start, start)
        #expect(image.position(start) == nil)
    }

    @Test("notes that were read too late count for nothing: they may have been deleted before")
    func late() {
        var image = LifeImage()
        _ = image.note(found([row(1)]), besides: [], began: start, start)
        let changes = found([], changed: [], position: 8)
        #expect(heads(image.note(changes, besides: [1], began: start + .seconds(2), start + .seconds(59))) == [1: 1])
        #expect(image.note(changes, besides: [1], began: start + .seconds(3), start + .seconds(62)) == nil)
    }

    @Test("a machine whose changes were read too late reads everything at once")
    func again() throws {
        let settings = SharingSettings(retention: VersionRetention(count: 8, bytes: 1 << 20), limits: .none)
        var machine = FollowerMachine(node: 1, settings, lease: .seconds(8), now: start)
        func look(_ changed: Set<Int>?, _ now: ContinuousClock.Instant) -> Int {
            machine.looked(
                found([row(1)], changed: changed), now, holds: { _ in false }, writing: { _ in nil })
            var looks = 0
            while let action = machine.next(now) { if case .look(.all) = action { looks += 1 } }
            return looks
        }
        machine.begin(start, [], isAll: true, isConnected: true)
        _ = machine.next(start)
        #expect(look(nil, start) == 0 && machine.image.position(start) == 7)
        machine.begin(start + .seconds(1), [], isAll: true, isConnected: true)
        _ = machine.next(start + .seconds(1))
        #expect(look([], start + .seconds(61)) == 1)
        #expect(machine.image.position(start + .seconds(61)) == nil)
    }
}
