import ListDiff
import TestSupport
import Testing

@testable import CallboardClient

@Suite("Changes that are shown at once") @MainActor
struct OverlayTests {
    struct Gone: Error {}

    @Test("stays on top of other versions, and goes with the version that has it in, without a step in between")
    func settled() throws {
        var random = SeededGenerator(seed: 1)
        let fixture = try ListFixture()
        var script = ListScript(&random)
        _ = try script.publish([RemoteSection(id: "s", elements: ["a", "b"].map { ListScript.element($0, 0) })])
        fixture.list.take(try script.snapshot())
        var steps: [[String]] = []
        let listening = fixture.list.onTransition { transition in
            if case .staged = transition.change { steps.append(transition.after[0].elements.map(\.id)) }
        }
        fixture.list.edit { overlays in
            overlays.add(cause: "c", epoch: "e") { sections in
                var sections = sections
                sections[0].elements.removeAll { $0.id == "a" }
                return sections
            }
        }
        let other = ["a", "b", "c"].map { ListScript.element($0, 0) }
        fixture.list.take(try script.publish([RemoteSection(id: "s", elements: other)]))
        let done = ["b", "c"].map { ListScript.element($0, 0) }
        fixture.list.take(try script.publish([RemoteSection(id: "s", elements: done)], causes: ["c"]))
        #expect(steps == [["b"], ["b", "c"]])
        #expect(fixture.list.overlays.isEmpty)
        withExtendedLifetime(listening) {}
    }

    @Test("of two changes of one element, the refused one goes and the other stays")
    func refused() throws {
        var random = SeededGenerator(seed: 1)
        let fixture = try ListFixture()
        var script = ListScript(&random)
        _ = try script.publish([RemoteSection(id: "s", elements: [ListScript.element("a", 0)])])
        fixture.list.take(try script.snapshot())
        for (cause, age) in [("first", 1), ("second", 2)] {
            fixture.list.edit { overlays in
                overlays.add(cause: cause, epoch: "e") { sections in
                    var sections = sections
                    guard !sections[0].elements.isEmpty else { throw Gone() }
                    sections[0].elements[0] = ListScript.element("a", age)
                    return sections
                }
            }
        }
        #expect(fixture.list.sections[0].elements[0].value["age"] == 2)
        fixture.list.edit { $0.remove(cause: "second") }
        #expect(fixture.list.sections[0].elements[0].value["age"] == 1)
        // What the first is about goes: it applies no more, and nothing else is hurt.
        fixture.list.take(try script.publish([RemoteSection(id: "s")]))
        #expect(fixture.list.sections[0].elements.isEmpty)
        fixture.list.edit { $0.remove(cause: "first") }
        #expect(fixture.list.sections == script.sections)
    }
}
