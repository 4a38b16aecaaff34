import Testing

@testable import CallboardClient

@Suite("A director's description")
struct DirectorDescriptionTests {
    private static let director: JSONObject = [
        "name": "d", "kind": "table", "revision": 3, "version": 2, "epoch": "e", "properties": [:],
        "counts": ["sections": 1, "elements": 4],
    ]

    private func read(_ members: JSONObject) throws -> DirectorDescription {
        var object = Self.director
        for member in members.members { object[member.name] = member.value }
        return try DirectorDescription(JSONReader(.object(object)))
    }

    @Test("a view has its rule, its totals and the elements that it leaves out")
    func view() throws {
        let view = try read([
            "view": ["from": "people", "limit": 3], "totals": ["age": 120],
            "faults": ["count": 11, "first": [["id": "x", "pointer": "/filter", "detail": "no number"]]],
        ])
        #expect(view.view?["from"] == "people" && view.totals["age"] == 120)
        #expect(view.faults?.count == 11 && view.faults?.first.map(\.id) == ["x"])
        #expect(view.faults?.first[0].pointer == "/filter" && view.faults?.first[0].detail == "no number")
    }

    @Test("a director with content of its own has none of them, and a list of faults of another form is refused")
    func own() throws {
        let own = try read([:])
        #expect(own.view == nil && own.totals.isEmpty && own.faults == nil && own.counts?.elements == 4)
        #expect(throws: RepresentationError.self) { try read(["faults": ["count": 1]]) }
        #expect(throws: RepresentationError.self) { try read(["view": 1]) }
    }
}
