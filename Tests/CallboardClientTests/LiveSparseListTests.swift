import Foundation
import ListDiff
import Synchronization
import Testing

@testable import CallboardClient

/// What a sparse list asks for; the test answers when it likes.
final class TestLoads: Sendable {
    struct Call: Sendable {
        let section: Int
        let version: Int
        let rows: Range<Int>
        let answer: CheckedContinuation<[RemoteElement], any Error>

        /// Answers with elements that are named after their places.
        func fulfil() {
            answer.resume(
                returning: rows.map { RemoteElement(id: "v\(version) \(section)/\($0)", model: "M", value: 1) })
        }
    }

    private let calls: AsyncStream<Call>
    private let continuation: AsyncStream<Call>.Continuation
    private let count = Mutex(0)
    /// How long it was waited before loads were tried again.
    let pauses = Mutex<[Duration]>([])

    init() { (calls, continuation) = AsyncStream.makeStream() }

    /// How many calls there have been.
    var total: Int { count.withLock { $0 } }

    /// The next call, once there is one.
    func next() async throws -> Call {
        for await call in calls { return call }
        throw CancellationError()
    }

    /// A list that is read from a transport's stream, its rows from here.
    func list(_ transport: TestTransport, _ limits: LiveSparseList.Limits = LiveSparseList.Limits()) -> LiveSparseList {
        var options = StreamOptions()
        options.snapshot = .reference
        let stream = EventStream.test(transport, clock: JumpingClock(patience: .seconds(14)), options: options)
        let reader = SparseListReader(
            events: stream.makeAsyncIterator(), reconnect: ReconnectPolicy(), limits: limits,
            sleep: { pause in self.pauses.withLock { $0.append(pause) } },
            fetch: { section, version, rows in
                self.count.withLock { $0 += 1 }
                return try await withCheckedThrowingContinuation {
                    self.continuation.yield(Call(section: section, version: version, rows: rows, answer: $0))
                }
            })
        return LiveSparseList(reader: reader)
    }
}

@Suite("Live sparse list", .timeLimit(.minutes(1)))
struct LiveSparseListTests {
    private static func snapshot(_ version: Int, _ counts: [Int], reset: String? = nil) -> String {
        let sections = counts.enumerated().map { #"{"id":"s\#($0)","count":\#($1)}"# }.joined(separator: ",")
        let why = reset.map { #","reset":"\#($0)""# } ?? ""
        return "event: snapshot\nid: e-\(version)\ndata: "
            + #"{"director":"d","epoch":"e","version":\#(version)\#(why),"sections":[\#(sections)]}"# + "\n\n"
    }

    /// A row that is inserted at the top of the first section.
    private static func insertion(_ from: Int, _ id: String, count: Int) -> String {
        "event: changeset\nid: e-\(from + 1)\ndata: "
            + #"{"director":"d","epoch":"e","from":\#(from),"version":\#(from + 1),"stages":[{"elementInserted":[{"at":[0,0],"element":{"id":"\#(id)","model":"M","value":"\#(id)"}}]}],"counts":{"sections":1,"elements":\#(count)}}"#
            + "\n\n"
    }

    /// The next update that is not about the connection.
    private static func next(_ updates: LiveSparseList.Iterator) async throws -> LiveSparseList.Update {
        while let update = try await updates.next() {
            if case .list(.connection) = update { continue }
            return update
        }
        throw CancellationError()
    }

    /// A list whose stream brings these events, the first of them taken.
    private static func opened(
        _ events: [String], _ limits: LiveSparseList.Limits = LiveSparseList.Limits()
    ) async throws -> (loads: TestLoads, live: LiveSparseList, updates: LiveSparseList.Iterator) {
        let loads = TestLoads()
        let live = loads.list(TestTransport([.stream(events, stays: true)]), limits)
        let updates = live.makeAsyncIterator()
        _ = try await next(updates)
        return (loads, live, updates)
    }

    private static func loaded(_ update: LiveSparseList.Update) throws -> (list: SparseList, rows: [Int]) {
        guard case .loaded(let list, let paths) = update else { throw UnexpectedUpdate(update: update) }
        return (list, paths.map(\.element))
    }

    private static func list(_ update: LiveSparseList.Update) throws -> SparseList {
        switch update {
        case .list(.replaced(let list, _)), .list(.changed(let list, by: _)): return list
        default: throw UnexpectedUpdate(update: update)
        }
    }

    struct UnexpectedUpdate: Error { let update: LiveSparseList.Update }

    @Test("it opens with lengths, and loads whole pages of what is asked for, as of its version")
    func opens() async throws {
        let (transport, loads) = (TestTransport([.stream([Self.snapshot(7, [250, 0])], stays: true)]), TestLoads())
        let live = loads.list(transport)
        let updates = live.makeAsyncIterator()
        let list = try Self.list(await Self.next(updates))
        #expect(list.sections.map(\.elements.count) == [250, 0] && list.heldCount == 0)
        live.load([
            ElementPath(section: 0, element: 249), ElementPath(section: 1, element: 0),
            ElementPath(section: 9, element: 0),
        ])
        let call = try await loads.next()
        #expect(call.section == 0 && call.version == 7 && call.rows == 200..<250)
        call.fulfil()
        let (held, rows) = try Self.loaded(await Self.next(updates))
        #expect(rows == Array(200..<250))
        #expect(held.element(at: ElementPath(section: 0, element: 201))?.id == "v7 0/201")
        // What is here or on its way is not asked for again; what is missing of a page is.
        live.load(190..<250, inSection: 0)
        let rest = try await loads.next()
        #expect(rest.rows == 100..<200 && loads.total == 2)
        rest.fulfil()
    }

    @Test("what is on its way moves with the changes that come before it")
    func moves() async throws {
        let (loads, live, updates) = try await Self.opened([
            Self.snapshot(1, [1000]), Self.insertion(1, "new", count: 1001),
        ])
        live.load(0..<10, inSection: 0)
        let call = try await loads.next()
        let changed = try Self.list(await Self.next(updates))
        #expect(changed.version == 2 && changed.heldCount == 1)
        call.fulfil()
        let (list, rows) = try Self.loaded(await Self.next(updates))
        #expect(rows == Array(1...100) && list.version == 2)
        #expect(list.element(at: ElementPath(section: 0, element: 0))?.id == "new")
        #expect(list.element(at: ElementPath(section: 0, element: 1))?.id == "v1 0/0")
        #expect(list.element(at: ElementPath(section: 0, element: 100))?.id == "v1 0/99")
        #expect(list.element(at: ElementPath(section: 0, element: 101)) == nil)
    }

    @Test("loads that are always there do not keep changes back")
    func fairness() async throws {
        let (loads, live, updates) = try await Self.opened([
            Self.snapshot(1, [1_000_000]), Self.insertion(1, "new", count: 1_000_001),
        ])
        for page in 0..<40 {
            let held = await live.reader.current?.heldCount ?? 0
            // The last row of the page is not held, whether or not the insertion has moved the rows by then.
            await live.reader.load(page * 100 + 99..<page * 100 + 100, inSection: 0)
            try await loads.next().fulfil()
            while await live.reader.current?.heldCount ?? 0 < held + 99 { await Task.yield() }
            if case .list(.changed) = try await Self.next(updates) { return }
        }
        Issue.record("40 loads came first")
    }

    @Test("a load that fails is reported once, and nothing is tried again before a pause that grows")
    func failures() async throws {
        let (loads, live, updates) = try await Self.opened([Self.snapshot(1, [1000])])
        for attempt in 1...3 {
            live.load(0..<10, inSection: 0)
            let call = try await loads.next()
            call.answer.resume(throwing: ClientError.unreachable(url: "u", reason: "attempt \(attempt)"))
            guard case .notLoaded(let error) = try await Self.next(updates) else { return #expect(Bool(false)) }
            #expect(error as? ClientError == .unreachable(url: "u", reason: "attempt \(attempt)"))
        }
        live.load(0..<10, inSection: 0)
        try await loads.next().fulfil()
        #expect(try Self.loaded(await Self.next(updates)).rows.count == 100)
        let pauses = loads.pauses.withLock { $0 }
        #expect(pauses.count == 3)
        for (pause, base) in zip(pauses, [1, 2, 4]) {
            #expect(pause >= .milliseconds(base * 500) && pause <= .seconds(base))
        }
    }

    @Test("rows of a version that the server has let go are asked for again by themselves")
    func goneVersion() async throws {
        let (loads, live, updates) = try await Self.opened([
            Self.snapshot(1, [1000]), Self.insertion(1, "new", count: 1001),
        ])
        live.load(0..<10, inSection: 0)
        let call = try await loads.next()
        _ = try await Self.next(updates)
        let gone = Problem(["title": "This version is no longer retained"], status: 410)
        call.answer.resume(throwing: ClientError.problem(gone))
        let again = try await loads.next()
        // The rows have moved by one, so that they reach into a second page, which comes first or last.
        #expect(again.version == 2)
        again.fulfil()
        let (list, rows) = try Self.loaded(await Self.next(updates))
        #expect(rows.allSatisfy { list.element(at: ElementPath(section: 0, element: $0))?.id == "v2 0/\($0)" })
        try await loads.next().fulfil()
        #expect(try Set(rows + Self.loaded(await Self.next(updates)).rows).isSuperset(of: 1...100))
    }

    @Test("requests, waiting pages and kept elements are bounded")
    func bounds() async throws {
        let (transport, loads) = (TestTransport([.stream([Self.snapshot(1, [1_000_000])], stays: true)]), TestLoads())
        var limits = LiveSparseList.Limits()
        (limits.requests, limits.waiting, limits.page, limits.elements) = (2, 3, 10, 35)
        let live = loads.list(transport, limits)
        let updates = live.makeAsyncIterator()
        _ = try await Self.next(updates)
        live.load(0..<1_000_000, inSection: 0)
        var calls = [try await loads.next(), try await loads.next()]
        #expect(Set(calls.map(\.rows)) == [0..<10, 10..<20])
        // The third page waits; then others are asked for that take the room.
        for page in 100..<104 {
            await live.reader.load(page * 10..<page * 10 + 1, inSection: 0)
            #expect(loads.total == 2)
        }
        var asked: [Range<Int>] = []
        for _ in 0..<5 {
            calls.removeFirst().fulfil()
            _ = try Self.loaded(await Self.next(updates))
            if asked.count < 3 {
                let call = try await loads.next()
                asked.append(call.rows)
                calls.append(call)
            }
        }
        #expect(asked == [1030..<1040, 1020..<1030, 1010..<1020], "the newest first, and only as many as may wait")
        #expect(loads.total == 5)
        let list = try #require(await live.reader.current)
        #expect(list.heldCount <= 35 && list.element(at: ElementPath(section: 0, element: 1010)) != nil)
        #expect(list.element(at: ElementPath(section: 0, element: 0)) == nil)
    }

    @Test("a reset forgets what is on its way")
    func reset() async throws {
        let (loads, live, updates) = try await Self.opened([
            Self.snapshot(1, [1000]), Self.snapshot(5, [300], reset: "asked"),
        ])
        live.load(0..<10, inSection: 0)
        let old = try await loads.next()
        #expect(try Self.list(await Self.next(updates)).sections[0].elements.count == 300)
        old.fulfil()
        live.load(0..<10, inSection: 0)
        let new = try await loads.next()
        #expect(new.version == 5)
        new.fulfil()
        #expect(
            try Self.loaded(await Self.next(updates)).list.element(at: ElementPath(section: 0, element: 3))?.id
                == "v5 0/3")
    }

    @Test("a snapshot that tells no lengths is asked for again")
    func resynchronizes() async throws {
        let bad =
            "event: snapshot\nid: e-1\ndata: {\"director\":\"d\",\"epoch\":\"e\",\"version\":1,\"sections\":[{\"id\":\"s\"}]}\n\n"
        let transport = TestTransport([.stream([bad], stays: true), .stream([Self.snapshot(2, [3])], stays: true)])
        let updates = TestLoads().list(transport).makeAsyncIterator()
        guard case .list(.resynchronizing(.noCount(section: 0))) = try await Self.next(updates) else {
            return #expect(Bool(false))
        }
        #expect(try Self.list(await Self.next(updates)).version == 2)
        #expect(transport.closed >= 1)
    }

    @Test("cancelling the task that waits closes the connection")
    func cancellation() async throws {
        let transport = TestTransport([.stream([Self.snapshot(1, [3])], stays: true)])
        let live = TestLoads().list(transport)
        let (lines, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await update in live { if case .list(.replaced) = update { continuation.yield() } }
        }
        for await _ in lines { break }
        task.cancel()
        _ = await task.result
        while transport.closed == 0 { await Task.yield() }
    }

    @Test("letting go of the list closes the connection")
    func lettingGo() async throws {
        let transport = TestTransport([.stream([Self.snapshot(1, [3])], stays: true)])
        do {
            let live = TestLoads().list(transport)
            _ = try await Self.next(live.makeAsyncIterator())
        }
        while transport.closed == 0 { await Task.yield() }
    }
}
