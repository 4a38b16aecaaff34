import Foundation
import Testing

@testable import CallboardClient

@Suite("The store of lists")
struct ListStoreTests {
    private static func list(_ names: [String], version: Int = 3) throws -> RemoteList {
        let elements = names.map { RemoteElement(id: $0, model: "M", value: ["id": .string($0)]) }
        let snapshot: JSON = [
            "director": "d", "kind": "table", "epoch": "e", "version": .number(JSONNumber(version)),
            "properties": ["rowHeight": ["explicit": 44]],
            "adapters": [["model": "M", "cell": "C", "events": ["didSelect": ["kind": "notification"]]]],
            "headerFooterAdapters": [["view": "V"]], "events": ["willDisplayHeader": ["kind": "notification"]],
            "rowEvents": [["section": "s", "row": "r", "events": ["didSelect": ["kind": "notification"]]]],
            "sections": [["id": "s", "headerTitle": "S", "elements": .array(elements.map(\.json))]],
        ]
        return try RemoteList(Snapshot(JSONReader(snapshot)))
    }

    private static func withStore(_ maximum: Int = 1 << 20, _ body: (ListStore, RemoteDirector) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let board = try Callboard(server: "http://localhost:1", transport: TestTransport([]))
        try body(ListStore(folder: folder, maximumLength: maximum), board.director("d"))
    }

    private static func files(_ store: ListStore) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: store.folder, includingPropertiesForKeys: nil)
    }

    @Test("a list is the same when it comes back, hooks and all; another selection has a file of its own")
    func kept() throws {
        try Self.withStore { store, director in
            let (whole, part) = (ListSelection(), ListSelection(limit: 2))
            #expect(store.list(of: director, whole) == nil)
            try store.keep(try Self.list(["a", "b", "c"]), of: director, whole)
            try store.keep(try Self.list(["a", "b"]), of: director, part)
            #expect(try Self.files(store).count == 2)
            #expect(store.list(of: director, whole) == (try Self.list(["a", "b", "c"])))
            #expect(store.list(of: director, part)?.sections[0].elements.count == 2)
            store.remove(director)
            #expect(store.list(of: director, whole) == nil && store.list(of: director, part) != nil)
        }
    }

    @Test("a list that has become too long is not kept, and its earlier state neither")
    func long() throws {
        try Self.withStore(1_000) { store, director in
            try store.keep(try Self.list(["a"]), of: director, ListSelection())
            let error = #expect(throws: ListStoreError.self) {
                try store.keep(try Self.list((0..<100).map(String.init)), of: director, ListSelection())
            }
            #expect(error?.description.contains("may take 1000") == true)
            #expect(store.list(of: director, ListSelection()) == nil)
        }
    }

    @Test("a damaged file counts as none, wherever the damage is", arguments: 0..<64)
    func damage(seed: Int) throws {
        try Self.withStore { store, director in
            let list = try Self.list(["a", "b"])
            try store.keep(list, of: director, ListSelection())
            let file = try #require(try Self.files(store).first)
            var bytes = Array(try Data(contentsOf: file))
            if seed % 2 == 0 {
                bytes = Array(bytes.prefix((seed * 7_919) % bytes.count))
            } else {
                bytes[(seed * 104_729) % bytes.count] = UInt8(seed)
            }
            try Data(bytes).write(to: file)
            // What can be read is a list; a letter of a value may be another one.
            let read = store.list(of: director, ListSelection())
            #expect(read == nil || read?.counts == list.counts || seed % 2 == 1)
        }
    }
}
