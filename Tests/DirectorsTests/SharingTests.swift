import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("What lists share")
struct SharingTests {
    /// A director with a section `s` of numbered elements, published.
    private func numbered(_ count: Int) throws -> LiveDirector {
        let director = try emptyDirector()
        try director.perform([
            .newSection(identifier: "s", (0..<count).map { number($0) }),
            .sections(.add([section("t", "a")])),
        ])
        _ = try director.reload()
        return director
    }

    private func number(_ number: Int, _ content: Int = 0) -> ElementDraft {
        ElementDraft(value: .parsed("{\"id\":\(number),\"n\":\(content)}"))
    }

    private func content(of director: LiveDirector) -> PersistentList<Section> {
        director.working.list.content
    }

    /// What comes in whole for the section `s`.
    static let wholes: [(String, @Sendable ([ElementDraft]) -> Directors.Operation)] = [
        ("setElements", { .elements(of: .section(.first), .set($0)) }),
        ("setSection", { .sections(.put(.identifier("s"), SectionDraft(identifier: nil, elements: $0))) }),
        (
            "setSections",
            { .sections(.set([SectionDraft(identifier: "s", elements: $0), section("t", "a")])) }
        ),
        (
            "patchSection",
            { drafts in
                let elements = text { writer in
                    writer.beginArray()
                    for draft in drafts { draft.encode(to: &writer) }
                    writer.endArray()
                }
                return .sections(.patch(.first, ValueDraft(.parsed("{\"elements\":\(elements)}"))))
            }
        ),
    ]

    @Test("what comes in whole and is there already changes nothing at all", arguments: wholes.indices)
    func whole(_ index: Int) throws {
        let director = try numbered(1_000)
        let before = content(of: director)
        try director.perform([Self.wholes[index].1((0..<1_000).map { number($0) })])
        #expect(content(of: director)[0].list.isIdentical(to: before[0].list))
        #expect(content(of: director)[0].attributes === before[0].attributes)
        #expect(try director.reload()?.version == nil)
    }

    @Test("sections that come in whole and are there already leave the list itself")
    func wholeList() throws {
        let director = try numbered(100)
        let before = content(of: director)
        try director.perform([
            .sections(.set([SectionDraft(identifier: "s", elements: (0..<100).map { number($0) }), section("t", "a")]))
        ])
        #expect(content(of: director).isIdentical(to: before))
    }

    @Test("of what comes in whole only what is new takes memory", arguments: wholes.indices)
    func nearlyWhole(_ index: Int) throws {
        let director = try numbered(1_000)
        let before = director.published.list
        var drafts = (0..<1_000).map { number($0) }
        drafts[500] = number(500, 1)
        drafts.swapAt(10, 20)
        drafts.insert(number(5_000), at: 700)
        drafts.remove(at: 300)
        try director.perform([Self.wholes[index].1(drafts)])
        let old = Dictionary(uniqueKeysWithValues: before.content[0].list.map { ($0.identifier, $0) })
        for element in content(of: director)[0].list where !["500", "5000"].contains(element.identifier) {
            #expect(element === old[element.identifier])
        }
        let change = try #require(try director.reload())
        #expect(change.changeset.operationCount == 5)
        let all = before.bytesNotShared(with: ListState())
        #expect(before.bytesNotShared(with: director.published.list) * 4 < all)
    }

    @Test("a value that is spelled otherwise is kept as it came")
    func spelling() throws {
        let director = try numbered(3)
        try director.perform([
            .elements(of: .section(.first), .set([draft(#"{"id":0,"n":0.0}"#), number(1), number(2)]))
        ])
        let list = content(of: director)[0].list
        #expect(list[0].value.text == #"{"id":0,"n":0.0}"#)
        #expect(list[1] === director.published.list.content[0].list[1])
    }

    @Test("putting an element as it is there is no change")
    func sameElement() throws {
        let director = try numbered(100)
        let before = content(of: director)
        try director.perform([.elements(of: .section(.first), .put(.identifier("7"), number(7)))])
        try director.perform([
            .elements(of: .section(.first), .patch(.identifier("8"), ValueDraft(JSONValue.parsed("{\"n\":0}"))))
        ])
        #expect(content(of: director).isIdentical(to: before))
        #expect(director.revision == 4)
    }

    @Test("a failed batch leaves the very list that was there")
    func failedBatch() throws {
        let director = try numbered(100)
        let before = content(of: director)
        #expect(throws: DirectorError.self) {
            try director.perform([.elements(of: .section(.first), .removeAll), .sections(.remove(.identifier("none")))])
        }
        #expect(content(of: director).isIdentical(to: before))
    }

    @Test("the published state shares what the working state holds, hidden elements too")
    func projection() throws {
        let director = try numbered(100)
        try director.perform([.sections(.patch(.first, ValueDraft(.parsed("{\"isCollapsed\":true}"))))])
        _ = try director.reload()
        #expect(director.published.list.content.isIdentical(to: content(of: director)))
        #expect(director.published.list.counts == ListCounts(sections: 2, elements: 1))
        #expect(try director.published.list.section(at: .first).section.list.isEmpty)
        #expect(throws: DirectorError.self) { try director.published.list.element(at: .first, of: .section(.first)) }
        #expect(director.published.list.sections.allSatisfy { $0.list.count == $0.content.count })
    }

    @Test("a version that is let go of frees what no newer one has, and nothing else")
    func exclusiveMemory() throws {
        let director = try numbered(10_000)
        let first = director.published.list
        let all = first.bytesNotShared(with: ListState())
        #expect(all > 10_000 * 100)
        #expect(first.bytesNotShared(with: first) == 0)
        for number in stride(from: 0, to: 10_000, by: 100) {
            try director.perform([
                .elements(of: .section(.first), .patch(.position(number), ValueDraft(JSONValue.parsed("{\"n\":1}"))))
            ])
        }
        _ = try director.reload()
        let some = first.bytesNotShared(with: director.published.list)
        #expect(some > 100 * 100)
        #expect(some * 4 < all)
    }
}

extension JSONValue {
    /// A value of a text that is known to be one.
    fileprivate static func parsed(_ text: String) -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            fatalError("the test has made a text that is no JSON: \(text)")
        }
    }
}
