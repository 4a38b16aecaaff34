import DirectorLife
import Directors
import JSONValues
import Notation
import Testing

@testable import Journal

@Suite("What is stored of views and their sources")
struct ViewCodingTests {
    private func view(_ definition: String) throws -> Director {
        Director(
            name: "grill", epoch: "e", properties: DirectorProperties(defaultsOf: .table),
            derivation: Derivation(source: "orders", definition: try JSONValue(parsing: definition)))
    }

    @Test("a view's definition is stored as its text, and a director with content of its own is stored as before")
    func definition() throws {
        let director = try view(#"{"from":"orders","limit":7}"#)
        let read = try Definition(json: Definition(of: director).json)
        #expect(read.derivation == director.derivation && read.derivation?.source == "orders")
        let plain = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        let text = String(decoding: Definition(of: plain).json, as: UTF8.self)
        #expect(
            text == #"{"kind":"table","properties":{"rowHeight":"default","headerHeight":"default","#
                + #""footerHeight":"default"},"adapters":[],"headerFooterAdapters":[]}"#)
        #expect(try Definition(json: Array(text.utf8)).derivation == nil)
    }

    @Test("a stored view that names no source is refused", arguments: ["null", "{}", #"{"from":1}"#])
    func refused(_ definition: String) throws {
        let text = String(decoding: Definition(of: try view(#"{"from":"orders"}"#)).json, as: UTF8.self)
        let damaged = text.replacing(#"{"from":"orders"}"#, with: definition)
        #expect(damaged != text)
        #expect(throws: ByteReader.Fault.self) { try Definition(json: Array(damaged.utf8)) }
    }

    @Test("the records of a view lead to the view, and another definition is another revision")
    func records() throws {
        let first = try view(#"{"from":"orders"}"#)
        let record = LifeRecord(director: "grill", epoch: "e", number: 1, entries: [.defined(first)])
        let retention = VersionRetention(count: 9, bytes: 1 << 20)
        var state = try LifeState(following: record, retention: retention)
        #expect(state.director.derivation == first.derivation)
        var second = first
        second.redefine(Derivation(source: "bills", definition: try JSONValue(parsing: #"{"from":"bills"}"#)))
        _ = try state.perform(.defined(second))
        #expect(state.director.derivation?.source == "bills" && state.director.revision == 1)
        let read = try decoded(state).director
        #expect(read.derivation == second.derivation && read.revision == 1)
    }

    @Test("a snapshot keeps the variables of the published version, where they are others than the present ones")
    func variables() throws {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        let record = LifeRecord(director: "d", epoch: "e", number: 1, entries: [.defined(director)])
        var state = try LifeState(following: record, retention: VersionRetention(count: 9, bytes: 1 << 20))
        func perform(_ operations: [Directors.Operation], publishes: Bool = false) throws {
            try director.perform(operations)
            _ = try state.perform(.performed(operations, revision: director.revision))
            guard publishes else { return }
            _ = try director.reload()
            _ = try state.perform(.published(version: director.version, animations: nil))
        }
        func set(_ value: String) -> Directors.Operation { .setVariable(name: "v", value: JSONValue(string: value)) }
        try perform([set("a"), .sections(.add([SectionDraft(identifier: "s")]))], publishes: true)
        #expect(state.unpublishedVariables == nil)
        #expect(try decoded(state).publishedVariables.byName?["v"] == JSONValue(string: "a"))
        try perform([set("b")])
        #expect(state.unpublishedVariables?["v"] == JSONValue(string: "a"))
        let read = try decoded(state)
        #expect(read.publishedVariables.byName?["v"] == JSONValue(string: "a"))
        #expect(read.director.working.variables["v"] == JSONValue(string: "b"))
        try perform([.removeVariable(name: "v")])
        director.note(cause: "c")
        state.note(cause: "c")
        let named = try decoded(state)
        #expect(named.publishedVariables.byName?["v"] == JSONValue(string: "a"))
        #expect(named.director.working.causes.names == ["c"])
    }

    private func decoded(_ state: LifeState) throws -> StateDecoder.Result {
        var bytes: [UInt8] = []
        try state.forEachSnapshotChunk { bytes += $0 }
        var chunks = [bytes].makeIterator()
        var decoder = StateDecoder { chunks.next() }
        return try decoder.decode()
    }
}
