import Journal
import Notation
import Testing

/// What a node does where the journal says something else than it knows.
@Suite("The directory of lives")
struct LifeDirectoryTests {
    private func row(_ id: Int, owner: Int, head: Int = 1, term: Int = 1, _ director: String? = nil) -> LifeRow {
        LifeRow(
            id: id, name: LifeName(director: director ?? "d\(id)", epoch: "e\(id)"), owner: owner, term: term,
            head: head)
    }

    /// A directory of node 1 that follows one life up to a number.
    private func following(_ row: LifeRow, number: Int) -> LifeDirectory {
        var directory = LifeDirectory(node: 1)
        _ = directory.note([row], of: .all) { _ in nil }
        directory.loaded(row, number: number)
        return directory
    }

    @Test("a life that is new is noted, and loaded and adopted where it is this node's")
    func new() {
        var directory = LifeDirectory(node: 1)
        let (others, own) = (row(1, owner: 2), row(2, owner: 1))
        #expect(directory.note([others], of: .all) { _ in nil } == [])
        #expect(directory.lives[1]?.standing == .unloaded)
        #expect(directory.takeChangedOwners() == ["d1": 2])
        #expect(directory.note([own], of: .some(ids: [2], names: [])) { _ in nil } == [.load(own), .adopt(2)])
    }

    @Test("a life that is set aside for what an earlier row had stands as the newest row says")
    func setAsideLate() {
        var directory = LifeDirectory(node: 1)
        let earlier = row(1, owner: 2)
        _ = directory.note([earlier], of: .all) { _ in nil }
        _ = directory.note([row(1, owner: 3)], of: .all) { _ in nil }
        directory.setAside(earlier)
        #expect(directory.lives[1]?.row.owner == 3 && directory.takeChangedOwners() == ["d1": 3])
        directory.setAside(row(2, owner: 2))
        #expect(directory.lives[2]?.row.owner == 2)
    }

    @Test("a life that this node has begun itself is owned without a step")
    func begunHere() {
        var directory = LifeDirectory(node: 1)
        let own = row(1, owner: 1)
        #expect(directory.note([own], of: .all) { _ in OwnWriting(number: 1, term: 1) } == [])
        #expect(directory.lives[1]?.standing == .owned)
        #expect(directory.takeChangedOwners() == ["d1": 1])
    }

    @Test("a life that this node has begun, and that no look has found, is over where a look at it does not find it")
    func endUnseen() {
        var directory = LifeDirectory(node: 1)
        let begun = [1: row(1, owner: 1).name]
        let end = LifeDirectory.Step.end(row(1, owner: 1, head: 0, term: 0))
        #expect(directory.note([], of: .some(ids: [2], names: ["d2"]), begun: begun) { _ in nil } == [])
        #expect(directory.note([], of: .some(ids: [], names: ["d1"]), begun: begun) { _ in nil } == [end])
        #expect(directory.note([], of: .all, begun: begun) { _ in nil } == [end])
        let own = row(1, owner: 1)
        #expect(directory.note([own], of: .all, begun: begun) { _ in OwnWriting(number: 1, term: 1) } == [])
    }

    @Test("a life whose records could not be performed is loaded at the next look, and over where it is gone")
    func restarted() {
        let followed = row(1, owner: 2, head: 2)
        var directory = following(followed, number: 2)
        #expect(directory.restart(LifeName(director: "d1", epoch: "another")) == nil)
        #expect(directory.restart(followed.name) == 1)
        #expect(directory.note([followed], of: .all) { _ in nil } == [.load(followed)])
        directory.loaded(followed, number: 2)
        #expect(directory.note([followed], of: .all) { _ in nil } == [])
        // So is one that this node writes, or was about to.
        let owned = row(1, owner: 1, head: 2)
        directory.adopted(1)
        _ = directory.restart(followed.name)
        let own = OwnWriting(number: 2, term: 1)
        #expect(directory.note([owned], of: .all) { _ in own } == [.load(owned), .adopt(1)])
        directory.loaded(followed, number: 2)
        _ = directory.restart(followed.name)
        #expect(directory.note([], of: .some(ids: [1], names: [])) { _ in nil } == [.end(followed)])
    }

    @Test("a life of this node's that nobody here writes is loaded and adopted")
    func unheld() {
        var directory = LifeDirectory(node: 1)
        let own = row(1, owner: 1)
        #expect(directory.note([own], of: .all) { _ in OwnWriting(number: 1, term: 1) } == [])
        #expect(directory.note([own], of: .all) { _ in nil } == [.load(own), .adopt(1)])
    }

    @Test("records behind the number are fetched; nothing is done where there are none")
    func fetch() {
        var directory = following(row(1, owner: 2), number: 1)
        let next = row(1, owner: 2, head: 4)
        #expect(directory.note([next], of: .all) { _ in nil } == [.fetch(next, after: 1)])
        directory.fetched(1, through: 4)
        #expect(directory.note([next], of: .all) { _ in nil } == [])
    }

    @Test("an owner that was fenced off loses the life and reads from what was acknowledged to it")
    func lost() {
        var directory = following(row(1, owner: 1), number: 3)
        directory.adopted(1)
        let taken = row(1, owner: 2, head: 9, term: 2)
        #expect(
            directory.note([taken], of: .all) { _ in OwnWriting(number: 7, term: 1) } == [
                .lose(taken.name), .fetch(taken, after: 7),
            ])
        #expect(directory.lives[1]?.standing == .followed)
    }

    @Test("a life that this node has begun and that was taken before it ever looked is lost, and read on")
    func takenUnseen() {
        var directory = LifeDirectory(node: 1)
        let taken = row(1, owner: 2, head: 4, term: 2)
        #expect(
            directory.note([taken], of: .all) { _ in OwnWriting(number: 2, term: 1) } == [
                .lose(taken.name), .fetch(taken, after: 2),
            ])
    }

    @Test(
        "a life that this node has begun and that was taken and given back before it ever looked is lost, and adopted")
    func givenBackUnseen() {
        var directory = LifeDirectory(node: 1)
        let back = row(1, owner: 1, head: 4, term: 3)
        #expect(
            directory.note([back], of: .all) { _ in OwnWriting(number: 2, term: 1) } == [
                .lose(back.name), .fetch(back, after: 2), .adopt(1),
            ])
    }

    @Test("a life whose beginning is in doubt is read as a whole once another node has taken it")
    func takenInDoubt() {
        let taken = row(1, owner: 2, head: 4, term: 2)
        for isSeen in [false, true] {
            var directory = LifeDirectory(node: 1)
            let own = OwnWriting(number: 0, term: nil)
            if isSeen { #expect(directory.note([row(1, owner: 1)], of: .all) { _ in own } == []) }
            #expect(directory.note([taken], of: .all) { _ in own } == [.lose(taken.name), .load(taken)])
        }
    }

    @Test("a life that was taken and given back between two looks is lost and adopted, since its term is another")
    func givenBack() {
        var directory = following(row(1, owner: 1), number: 3)
        directory.adopted(1)
        let back = row(1, owner: 1, head: 6, term: 3)
        let own = OwnWriting(number: 4, term: 1)
        #expect(
            directory.note([back], of: .all) { _ in own } == [.lose(back.name), .fetch(back, after: 4), .adopt(1)])
        #expect(directory.lives[1]?.standing == .followed)
    }

    @Test("a life that was handed over and given back before it was looked at is adopted")
    func returned() {
        var directory = following(row(1, owner: 1), number: 3)
        directory.adopted(1)
        directory.setReleasing(1, true)
        directory.given(1, number: 5)
        let back = row(1, owner: 1, head: 6, term: 3)
        #expect(directory.note([back], of: .all) { _ in nil } == [.fetch(back, after: 5), .adopt(1)])
    }

    @Test("a term that this node has raised itself changes nothing")
    func raisedHere() {
        var directory = following(row(1, owner: 1), number: 3)
        directory.adopted(1)
        #expect(
            directory.note([row(1, owner: 1, head: 4, term: 2)], of: .all) { _ in OwnWriting(number: 4, term: 2) } == []
        )
    }

    @Test("a life that is being released is not adopted, and is once releasing it has failed")
    func releasing() {
        var directory = following(row(1, owner: 1), number: 3)
        directory.adopted(1)
        directory.setReleasing(1, true)
        let own = row(1, owner: 1, head: 3)
        #expect(directory.note([own], of: .all) { _ in nil } == [])
        directory.setReleasing(1, false)
        #expect(directory.note([own], of: .all) { _ in nil } == [.adopt(1)])
    }

    @Test("a life that was released and given away is read on, and is no loss")
    func given() {
        var directory = following(row(1, owner: 1), number: 3)
        directory.adopted(1)
        directory.setReleasing(1, true)
        let given = row(1, owner: 2, head: 5, term: 2)
        #expect(
            directory.note([given], of: .all) { _ in OwnWriting(number: 5, term: 1) } == [
                .letGo(given.name), .fetch(given, after: 5),
            ])
    }

    @Test("what is gone of the scope is over, and nothing else")
    func gone() {
        var directory = following(row(1, owner: 2), number: 1)
        directory.loaded(row(2, owner: 2), number: 1)
        #expect(directory.note([], of: .some(ids: [1], names: [])) { _ in nil } == [.end(row(1, owner: 2))])
        #expect(directory.note([], of: .some(ids: [], names: ["d2"])) { _ in nil } == [.end(row(2, owner: 2))])
        #expect(directory.lives.isEmpty)
    }

    @Test("a life that this node has owned and that is gone is over: another node may have taken and ended it unseen")
    func goneOwned() {
        var directory = following(row(1, owner: 1), number: 3)
        directory.adopted(1)
        let own = OwnWriting(number: 3, term: 1)
        #expect(directory.note([], of: .all) { _ in own } == [.end(row(1, owner: 1))])
        #expect(directory.lives.isEmpty)
    }

    @Test("a look at a new life of a name ends the earlier one, which it was not at")
    func replaced() {
        var directory = following(row(1, owner: 1, "d"), number: 1)
        directory.adopted(1)
        let new = row(2, owner: 2, "d")
        #expect(
            directory.note([new], of: .some(ids: [2], names: [])) { _ in nil } == [.end(row(1, owner: 1, "d"))])
        #expect(directory.life(named: "d")?.row == new)
    }

    /// Three nodes, of which the third lives no longer.
    private var placement: Placement {
        var placement = Placement()
        for node in 1...3 {
            placement.nodes[node] = JournalNode(
                number: node, name: "n", url: "", state: .serving, expiresAt: 0, isLiving: node != 3)
        }
        return placement
    }

    @Test("a life that is not loaded is loaded where it is asked for, and adopted where it is given to this node")
    func unloaded() {
        var directory = LifeDirectory(node: 1)
        let others = row(1, owner: 2)
        _ = directory.note([others], of: .all) { _ in nil }
        #expect(directory.asked(for: ["d1", "d2"]) == [others])
        directory.loaded(others, number: 1)
        #expect(directory.asked(for: ["d1"]) == [])
        directory.unloaded(1)
        let more = row(1, owner: 2, head: 5)
        #expect(directory.note([more], of: .all) { _ in nil } == [])
        #expect(directory.asked(for: ["d1"]) == [more])
        let given = row(1, owner: 1, head: 5, term: 2)
        #expect(directory.note([given], of: .all) { _ in nil } == [.load(given), .adopt(1)])
        // What this node writes is not to be loaded, and does not leave memory.
        directory.loaded(given, number: 5)
        directory.adopted(1)
        directory.unloaded(1)
        #expect(directory.asked(for: ["d1"]) == [] && directory.lives[1]?.standing == .owned)
        #expect(directory.note([], of: .all) { _ in nil } == [.end(given)])
    }

    @Test("a handover that has failed changes nothing of a life that has left memory meanwhile")
    func failedLate() {
        let owned = row(1, owner: 1)
        var directory = following(owned, number: 1)
        directory.adopted(1)
        directory.setReleasing(1, true)
        let taken = row(1, owner: 2, term: 2)
        _ = directory.note([taken], of: .all) { _ in OwnWriting(number: 1, term: 1) }
        directory.unloaded(1)
        directory.setReleasing(1, false)
        #expect(directory.asked(for: ["d1"]) == [taken])
    }

    @Test("what belongs to this node without its owner is held ready; the rest is idle once nobody has asked for it")
    func idle() {
        var directory = LifeDirectory(node: 1)
        let rows = (1...60).map { row($0, owner: $0 % 2 + 2) }
        _ = directory.note(rows, of: .all) { _ in nil }
        // Node 3 lives no longer, so that only this node is left for what node 2 owns.
        let ready = rows.filter { row in
            row.owner == 2 || Rendezvous.owner(of: row.name.director, among: [1, 2]) == 1
        }
        #expect(Set(directory.inheritable(placement)) == Set(ready) && ready.count < 60)
        for row in rows { directory.loaded(row, number: 1) }
        #expect(directory.inheritable(placement) == [])
        #expect(directory.idle(placement) == [])
        let rest = rows.filter { !ready.contains($0) }
        _ = directory.asked(for: Set(texts: [rest[0].name.director]))
        #expect(Set(directory.idle(placement)) == Set(rest.dropFirst()))
        #expect(Set(directory.idle(placement)) == Set(rest))
    }

    @Test("a node that is about to take part holds ready what it would take over then")
    func joining() {
        var directory = LifeDirectory(node: 4)
        let rows = (1...60).map { row($0, owner: $0 % 2 + 1) }
        _ = directory.note(rows, of: .all) { _ in nil }
        var placement = placement
        #expect(directory.inheritable(placement) == [])
        placement.nodes[4] = JournalNode(number: 4, name: "n", url: "", state: .joining, expiresAt: 0, isLiving: true)
        let ready = rows.filter { Rendezvous.owner(of: $0.name.director, among: [3 - $0.owner, 4]) == 4 }
        #expect(Set(directory.inheritable(placement)) == Set(ready) && (15...45).contains(ready.count))
    }

    @Test("orphans are those whose owner lives no longer and that belong to this node")
    func orphans() {
        var directory = LifeDirectory(node: 1)
        for id in 1...60 { directory.loaded(row(id, owner: id % 3 + 1), number: 1) }
        // Whether or not they are loaded.
        for id in 1...30 { directory.unloaded(id) }
        let expected = directory.lives.values.filter {
            $0.row.owner == 3 && Rendezvous.owner(of: $0.row.name.director, among: [1, 2]) == 1
        }
        #expect(Set(directory.orphans(placement).map(\.id)) == Set(expected.map(\.row.id)) && !expected.isEmpty)
    }

    @Test("names are spread evenly over nodes, and a node that joins takes its own share and no more")
    func rendezvous() {
        let names = (0..<3000).map { "director-\($0)" }
        let three = names.map { Rendezvous.owner(of: $0, among: [4, 7, 9]) }
        for node in [4, 7, 9] { #expect((850...1150).contains(three.count { $0 == node })) }
        let four = names.map { Rendezvous.owner(of: $0, among: [9, 4, 12, 7]) }
        #expect((600...900).contains(four.count { $0 == 12 }))
        #expect(zip(three, four).allSatisfy { $0 == $1 || $1 == 12 })
        #expect(Rendezvous.owner(of: "a", among: [Int]()) == nil)
    }
}
