import JSONValues
import Testing

@testable import Directors

@Suite("Resolved operations")
struct ResolvedOperationTests {
    static let unresolved: [Directors.Operation] = [
        .sections(.set([SectionDraft(identifier: nil), section("s", "a"), SectionDraft(identifier: nil)])),
        .sections(.add([SectionDraft(identifier: nil, elements: drafts("a"))], at: .first)),
    ]

    @Test("performing a resolved operation again gives the same identifiers", arguments: unresolved)
    func again(_ operation: Directors.Operation) throws {
        let (one, other) = (try filledDirector(), try filledDirector())
        let resolved = [operation].resolved
        #expect(resolved != [operation])
        #expect(resolved.resolved == resolved)
        try one.perform(resolved)
        try other.perform(resolved)
        #expect(one.working == other.working)
        #expect(Set(one.working.list.sections.map(\.identifier)).count == one.working.list.counts.sections)
    }

    @Test("a resolved operation that is stored and read makes the same sections", arguments: unresolved)
    func stored(_ operation: Directors.Operation) throws {
        let (one, other) = (try filledDirector(), try filledDirector())
        let resolved = [operation].resolved
        let form = text { resolved[0].encode(to: &$0) }
        try one.perform(resolved)
        try other.perform([Directors.Operation.decode(node(form))])
        #expect(one.working == other.working)
    }

    @Test("what needs no identifier stays as it is")
    func others() {
        let operations: [Directors.Operation] = [
            .sections(.set([section("s")])), .sections(.put(.first, SectionDraft(identifier: nil))),
            .sections(.removeAll),
            .sections(.put(.identifier("new"), SectionDraft(identifier: nil))),
            .newSection(identifier: "n", drafts("a")),
            .setVariable(name: "v", value: JSONValue(string: "x")),
        ]
        #expect(operations.resolved == operations)
    }
}
