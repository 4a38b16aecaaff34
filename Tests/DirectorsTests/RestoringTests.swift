import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("Directors that are put together again")
struct RestoringTests {
    /// A director whose published state has an element written in another way than the working state, with a collapsed
    /// section.
    private func lived() throws -> LiveDirector {
        let director = try emptyDirector()
        try director.register(
            CellAdapter(model: "Item", cell: "ItemCell", content: [JSONPointer(tokens: ["n"])]))
        try director.register(HeaderFooterAdapter(view: "V"))
        let values = (0..<100).map { number in JSONValue(parsed: "{\"id\":\"e\(number)\",\"n\":1,\"m\":1}") }
        try director.perform([
            .newSection(identifier: "s", values.map { ElementDraft(value: $0) }),
            .sections(.add([section("hidden", attributes: SectionAttributes { $0.isCollapsed = true })])),
            .elements(of: .section(.last), .add([draft(#"{"id":"h"}"#)])), .setVariable(name: "v", value: json("1")),
        ])
        _ = try director.reload()
        try director.perform([.elements(of: .section(.first), .patch(.first, ValueDraft(json(#"{"m":2}"#))))])
        #expect(try director.reload()?.changeset.replaced.count == 1)
        try director.perform([.elements(of: .section(.first), .patch(.first, ValueDraft(json(#"{"m":2.0}"#))))])
        #expect(try director.reload() == nil)
        return director
    }

    /// Puts a list together of values, as they would be stored.
    private func restored(_ list: ListState, _ adapters: AdapterRegistry, sharing other: ListState?) throws -> ListState
    {
        let sections = try list.sections.map { section in
            let similar = try other?.section(at: .identifier(section.identifier)).section
            let known = Dictionary(uniqueKeysWithValues: similar?.list.map { ($0.value.text, $0) } ?? [])
            let elements = try section.list.map { element in
                let adapter = try #require(adapters.cells[element.model])
                return try known[element.value.text] ?? Element(restoring: element.value, adapter: adapter)
            }
            return Section(
                identifier: section.identifier, attributes: section.attributes, elements: elements, sharing: similar)
        }
        return ListState(sections: sections, sharing: other)
    }

    @Test("a reload is performed again as a version of its own, whether it finds something or not")
    func reloadAgain() throws {
        var director = try lived().value
        let before = director.published
        let change = try director.reloadAgain()
        #expect(change.from == before.version && change.version == before.version + 1)
        #expect(change.changeset.isEmpty && change.counts == before.list.counts)
        #expect(director.published.list == before.list)
        try director.perform([.sections(.removeAll)])
        #expect(try director.reloadAgain().changeset.operationCount == 2)
    }

    @Test("a director that is put together of its parts is the same and goes on in the same way")
    func parts() throws {
        let director = try lived()
        let adapters = AdapterRegistry(
            cells: director.adapters.sortedCells, headerFooters: director.adapters.sortedHeaderFooters)
        let working = try restored(director.working.list, adapters, sharing: nil)
        let published = try restored(director.published.list, adapters, sharing: working)
        var copy = Director(
            restoring: director.name, epoch: director.epoch, properties: director.properties, adapters: adapters,
            working: WorkingState(
                restoring: working, revision: director.revision, variables: director.working.variables),
            published: PublishedState(restoring: published, version: director.version), limits: director.limits)
        #expect(copy.traces == director.traces)
        #expect(published.bytesNotShared(with: working) * 4 < published.bytesNotShared(with: ListState()))
        let operations: [Directors.Operation] = [
            .elements(of: .section(.first), .patch(.last, try ValueDraft(json(#"{"n":2}"#)))),
            .sections(.patch(.last, try ValueDraft(json(#"{"isCollapsed":false}"#)))),
        ]
        try copy.perform(operations)
        try director.perform(operations)
        let before = copy.published
        let reloaded = try copy.reload()
        let change = try #require(reloaded)
        #expect(try director.reload()?.changeset == change.changeset)
        #expect(copy.traces == director.traces)
        #expect(try before.applying(change) == copy.published)
    }

    @Test("a value without the identifier that its adapter reads is refused")
    func refused() throws {
        let adapter = CellAdapter(model: "Item", cell: "C")
        let error = #expect(throws: RepresentationError.self) { try Element(restoring: json("{}"), adapter: adapter) }
        #expect(error?.detail.contains("{id}") == true)
    }
}

extension JSONValue {
    fileprivate init(parsed text: String) {
        do {
            try self.init(parsing: text)
        } catch {
            fatalError("the test has made a text that is no JSON: \(text)")
        }
    }
}
