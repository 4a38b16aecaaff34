import CallboardAPI
import CallboardClient
import CallboardServer
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import CallboardProgram

@Suite("Program and server", .timeLimit(.minutes(2)))
struct EndToEndTests {
    /// Runs a server on a free port for as long as `body` takes, as `callboard serve` does.
    private func withServer(_ body: @Sendable (Callboard) async throws -> Void) async throws -> [String] {
        var settings = ServeSettings()
        settings.configuration.server.port = 0
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = try CallboardService(configuration: settings.configuration, logger: logger)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let lifecycle = ServerLifecycle(service: service, address: "127.0.0.1:0") { continuation.yield($0) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: lifecycle, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var announced: [String] = []
            var iterator = lines.makeAsyncIterator()
            let line = try #require(await iterator.next())
            announced.append(line)
            try #require(line.hasPrefix("listening on http://127.0.0.1:"))
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(try Callboard(server: String(line.dropFirst("listening on ".count)))))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            continuation.finish()
            while let line = await iterator.next() { announced.append(line) }
            try result.get()
            return announced
        }
    }

    private static func content(_ ids: [Int], broken: Bool = false) -> LoadContent {
        var records = ids.enumerated().map { position, id in
            LoadRecord(
                place: .init(record: position + 1, line: nil),
                value: ["id": .number(JSONNumber(id)), "even": .bool(id % 2 == 0)], section: id < 10 ? "low" : "high")
        }
        if broken {
            let place = LoadRecord.Place(record: records.count + 1, line: 99)
            records.insert(LoadRecord(place: place, value: ["even": true], section: "low"), at: records.count / 2)
        }
        return LoadContent(LoadedRecords(records: records), rule: nil, titles: nil, fallback: "all")
    }

    @Test("a watched list follows what is loaded")
    func loadAndWatch() async throws {
        let lines = try await withServer { callboard in
            let director = callboard.director("numbers")
            var loader = Loader(director: director, model: "N", cell: "NCell")
            loader.bounds.isPartial = true
            let first = try await loader.load(Self.content([1, 2, 3, 11, 12], broken: true))
            #expect(first.loaded == 5)
            #expect(first.rejected.map(\.place.line) == [99])
            #expect(first.changeset?.version == 1)

            var updates = director.list().makeAsyncIterator()
            var list = try await Self.list(&updates)
            #expect(list.sections.map(\.id) == ["low", "high"])
            #expect(list.sections.map { $0.elements.map(\.id) } == [["1", "2", "3"], ["11", "12"]])

            let second = try await loader.load(Self.content([12, 13, 3, 1, 2]))
            #expect(second.rejected.isEmpty)
            list = try await Self.list(&updates)
            #expect(list.version == 2)
            #expect(list.sections.map { $0.elements.map(\.id) } == [["12", "13"], ["3", "1", "2"]])
            let published = try await director.sections(limit: 1000, state: .published(version: 2)).value.items
            #expect(list.sections == published)

            let once = try await ListPresence(director: director, server: "SERVER").snapshot()
            #expect(once.version == 2 && once.sections == published)

            let same = try await loader.load(Self.content([12, 13, 3, 1, 2]))
            #expect(same.changeset?.isEmpty == true && same.changeset?.version == 2)
        }
        #expect(lines.count == 1)
    }

    /// The next list that the updates bring.
    private static func list(_ updates: inout LiveList.Iterator) async throws -> RemoteList {
        while let update = try await updates.next() {
            switch update {
            case .replaced(let list, _), .changed(let list, by: _): return list
            case .resynchronizing(let mismatch): throw mismatch
            default: continue
            }
        }
        throw CancellationError()
    }

    @Test("a list of which only a part is loaded is that part of each version, whatever changes meanwhile")
    func sparseList() async throws {
        let changes = 40
        _ = try await withServer { callboard in
            let director = callboard.director("numbers")
            let loader = Loader(director: director, model: "N", cell: "NCell")
            _ = try await loader.load(Self.content(Array(0..<2000)))
            var limits = LiveSparseList.Limits()
            (limits.page, limits.elements) = (10, 400)
            let live = director.sparseList(limits: limits)
            var (loads, checked, last) = (0, 0, 0)
            for try await update in live {
                let list: SparseList
                switch update {
                case .list(.replaced(let opened, _)):
                    #expect(opened.sections.map(\.elements.count) == [10, 1990] && opened.heldCount == 0)
                    list = opened
                case .list(.changed(let changed, by: _)): list = changed
                case .loaded(let filled, let paths):
                    loads += paths.count
                    list = filled
                case .list(.resynchronizing(let mismatch)): throw mismatch
                case .notLoaded(let error): throw error
                default: continue
                }
                checked += try await Self.check(list, against: director)
                if loads > 600, list.version > changes { break }
                let place = (loads * 791) % 1800
                live.load(place..<place + 25, inSection: 1)
                if list.version > last, list.version <= changes {
                    last = list.version
                    try await Self.change(director, list.version)
                }
            }
            #expect(checked > 5000)
        }
    }

    /// Moves, removes, inserts and updates elements among those that are looked at, and publishes that.
    private static func change(_ director: RemoteDirector, _ number: Int) async throws {
        try await director.moveElement(in: "high", from: number * 40, to: 1800 - number * 30)
        try await director.removeElements(at: [number * 7, number * 21, 1900], in: "high")
        let drafts = (0..<3).map { id in
            ElementDraft(["id": .number(JSONNumber(100_000 + number * 10 + id)), "even": true])
        }
        try await director.addElements(drafts, in: "high", at: number * 45)
        try await director.updateElement(.position(number * 39), in: "high", ["even": "changed"])
        try await director.reload()
    }

    /// Compares what is held of a list with what the server published at its version; how many elements that was.
    private static func check(_ list: SparseList, against director: RemoteDirector) async throws -> Int {
        let held = list.sections[1].elements.indices.filter { list.sections[1].elements[$0] != nil }
        guard let first = held.first, let last = held.last else { return 0 }
        let published = ListState.published(version: list.version)
        var elements: [RemoteElement] = []
        while first + elements.count <= last {
            elements += try await director.elements(
                in: .position(1), offset: first + elements.count, limit: 10_000, state: published
            ).value.items
        }
        let wrong = held.filter { list.sections[1].elements[$0] != elements[$0 - first] }
        #expect(wrong.isEmpty, "version \(list.version): \(wrong.prefix(5))")
        return held.count
    }

    @Test("appending keeps what is there")
    func append() async throws {
        _ = try await withServer { callboard in
            let director = callboard.director("numbers")
            var loader = Loader(director: director, model: "N", cell: "NCell")
            _ = try await loader.load(Self.content([1, 11]))
            loader.appends = true
            _ = try await loader.load(Self.content([2, 12]))
            let sections = try await director.sections().value.items
            #expect(sections.map { $0.elements.map(\.id) } == [["1", "2"], ["11", "12"]])
        }
    }

    @Test("calls carry revisions, and one that is out of date is refused")
    func revisions() async throws {
        _ = try await withServer { callboard in
            let director = callboard.director("d")
            let loader = Loader(director: director, model: "N", cell: "NCell")
            _ = try await loader.load(Self.content([1, 2]))
            let section = try await director.section("low")
            let current = try #require(section.revision)
            let changed = try await director.updateElement(
                "1", in: "low", ["even": "no"], WriteOptions(ifMatch: current))
            #expect(changed.value.value["even"] == "no")
            let error = await #expect(throws: ClientError.self) {
                try await director.removeElement("2", in: "low", WriteOptions(ifMatch: current))
            }
            #expect(error?.status == 412)
            let dryRun = try await director.perform([.removeSection(.first)], dryRun: true)
            #expect(dryRun.changeset?.stages.stages.first?.sectionDeleted == [0])
            #expect(try await director.describe().value.counts == ListCounts(sections: 1, elements: 2))
            #expect(try await callboard.allDirectors().map(\.name) == ["d"])
        }
    }

    @Test("the stream of a deleted director ends by itself")
    func deletion() async throws {
        _ = try await withServer { callboard in
            let director = callboard.director("d")
            let loader = Loader(director: director, model: "N", cell: "NCell")
            _ = try await loader.load(Self.content([1]))
            var updates = director.list().makeAsyncIterator()
            _ = try await Self.list(&updates)
            try await director.delete()
            var ended = false
            while let update = try await updates.next() {
                if case .ended = update { ended = true }
            }
            #expect(ended)
        }
    }

    @Test("several directors come on one stream")
    func severalDirectors() async throws {
        _ = try await withServer { callboard in
            for name in ["a", "b"] {
                let loader = Loader(director: callboard.director(name), model: "N", cell: "NCell")
                _ = try await loader.load(Self.content([1]))
            }
            var names: Set<String> = []
            for try await event in callboard.events(directors: ["a", "b"]) {
                if case .snapshot(let snapshot) = event { names.insert(snapshot.definition.name) }
                if names.count == 2 { break }
            }
            #expect(names == ["a", "b"])
        }
    }

    @Test("a call that is cancelled at any moment returns")
    func cancellation() async throws {
        _ = try await withServer { callboard in
            await withTaskGroup(of: Void.self) { group in
                for attempt in 0..<60 {
                    group.addTask {
                        let call = Task { try await callboard.directors() }
                        for _ in 0..<attempt { await Task.yield() }
                        if attempt % 3 == 0 { try? await Task.sleep(for: .microseconds(attempt * 20)) }
                        call.cancel()
                        _ = await call.result
                    }
                }
            }
            let directors = try await callboard.allDirectors()
            #expect(directors.isEmpty)
        }
    }

    @Test("a director that is not there is said to be missing")
    func missing() async throws {
        _ = try await withServer { callboard in
            let error = await #expect(throws: ClientError.self) {
                for try await _ in callboard.director("nobody").list() {}
            }
            #expect(error?.status == 404)
        }
    }
}
