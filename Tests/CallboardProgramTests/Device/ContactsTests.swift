import CallboardUIKit
import Foundation
import Testing
import UIKitDouble

@testable import CallboardClient
@testable import CallboardProgram

private struct Contact: Decodable, Equatable, Sendable {
    let name: String
    var isBlacklisted = false

    private enum CodingKeys: CodingKey {
        case name
    }
}

private final class ContactCell: UITableViewCell {
    var item: Contact?
}

/// FlowKit's own example, with a list that a server has: a table of contacts on a real server, with real hooks.
@Suite("The contacts of FlowKit's README", .timeLimit(.minutes(2))) @MainActor
struct ContactsTests {
    private static let quick = StreamOptions(
        reconnect: ReconnectPolicy(initialDelay: .milliseconds(50), maximumDelay: .milliseconds(200)))

    /// What the app has: a table in a window, and its director.
    @MainActor
    private final class App {
        let table = UITableView()
        let list: FollowedList
        let director: RemoteTableDirector
        var opened: [Contact] = []

        init(_ board: Callboard, store: ListStore? = nil, reports: ReportQueue? = nil, shows: Bool = false) {
            table.window = UIWindow()
            list = board.follow("contacts", options: ContactsTests.quick, store: store, reports: reports)
            director = RemoteTableDirector(table: table, list: list)
            let contactAdapter = TableCellAdapter<Contact, ContactCell> { [weak self] adapter in
                adapter.events.dequeue = { ctx in ctx.cell?.item = ctx.element }
                if shows { adapter.events.didSelect = { ctx in self?.opened.append(ctx.element) } }
            }
            director.registerCellAdapter(contactAdapter)
        }

        /// The names in sight, as the cells have them.
        var names: [String] {
            table.layoutIfNeeded()
            return (table.indexPathsForVisibleRows ?? []).map {
                (table.cellForRow(at: $0) as? ContactCell)?.item?.name ?? "?"
            }
        }
    }

    private func until(_ what: String, _ condition: () async -> Bool) async throws {
        for _ in 0..<4_000 {
            if await condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("it has not come to this: \(what)")
    }

    private func element(_ name: String) -> ElementDraft { ElementDraft(["name": .string(name)], model: "Contact") }

    private func makeContacts(_ board: Callboard, hooks: JSONObject = [:]) async throws -> RemoteDirector {
        let contacts = board.director("contacts")
        try await contacts.define(kind: .table, properties: ["rowHeight": ["explicit": 44]])
        try await contacts.register(
            CellAdapterDraft(
                model: "Contact", cell: "ContactCell", identifier: "{name}", attributes: ["events": .object(hooks)]))
        try await contacts.setSections(
            [SectionDraft(id: "friends", elements: ["John", "Mark", "Anita"].map(element))], .reload)
        return contacts
    }

    private func hook(_ listener: ListenerFixture, _ more: JSONObject = [:]) -> JSON {
        var hook: JSONObject = ["url": .string(listener.listener.address)]
        for member in more.members { hook[member.name] = member.value }
        return .object(hook)
    }

    @Test("rows are shown, a tap is delivered, a height asked and laid out, and a reload is animated")
    func contacts() async throws {
        let plan = AnswerPlan(values: ["rowHeight": AnswerTemplate(72)])
        try await ListenerFixture.run(plan: plan) { listener in
            try await DataFolderFixture().withServer(data: "memory") { board in
                let contacts = try await makeContacts(
                    board, hooks: ["didSelect": hook(listener), "rowHeight": hook(listener)])
                let app = App(board)
                try await until("three rows") { app.names == ["John", "Mark", "Anita"] }
                try await until("the hook's heights") { Set(app.table.heights.values) == [72] }
                app.table.tap(at: IndexPath(row: 1, section: 0))
                try await until("the tap is delivered") {
                    listener.receptions.contains { $0.event.type == "didSelect" }
                }
                let tap = listener.receptions.first { $0.event.type == "didSelect" }
                #expect(tap?.event.data["element"]?["id"] == "Mark")
                let (batches, reloads) = (app.table.batches, app.table.reloads)
                try await contacts.addElements([element("Bo")], in: "friends", at: 0, .reload)
                try await contacts.removeElement("Mark", in: "friends", .reload)
                try await until("the change is shown") { app.names == ["Bo", "John", "Anita"] }
                #expect(app.table.batches > batches && app.table.reloads == reloads)
                #expect(app.table.violations == [] && app.list.faults == [])
            }
        }
    }

    @Test("what has a closure stays on the device, and no report is sent")
    func closures() async throws {
        try await ListenerFixture.run { listener in
            try await DataFolderFixture().withServer(data: "memory") { board in
                _ = try await makeContacts(board, hooks: ["didSelect": hook(listener)])
                let app = App(board, shows: true)
                try await until("three rows") { app.names.count == 3 }
                app.table.tap(at: IndexPath(row: 0, section: 0))
                #expect(app.opened.map(\.name) == ["John"])
                try await Task.sleep(for: .milliseconds(100))
                #expect(listener.receptions.isEmpty)
            }
        }
    }

    @Test("a row that is hidden while it is highlighted is gone, and its tap is refused and forgotten")
    func hidden() async throws {
        try await DataFolderFixture().withServer(data: "memory") { board in
            let contacts = try await makeContacts(board)
            var row = RowDraft.model("Contact", elements: ["Ada", "Bo"].map(element), id: "people")
            row.hideWhen = ["==": [["var": "model.name"], ["var": "variables.hidden"]]]
            row.afterSelection = nil
            try await contacts.setSections([SectionDraft(id: "rows", rows: [row])], .reload)
            let app = App(board)
            try await until("two rows") { app.names == ["Ada", "Bo"] }
            let path = IndexPath(row: 0, section: 0)
            #expect(app.director.tableView(app.table, shouldHighlightRowAt: path))
            app.director.tableView(app.table, didHighlightRowAt: path)
            try await contacts.setVariable("hidden", to: "Ada", .reload)
            try await until("one row") { app.names == ["Bo"] }
            app.director.tableView(app.table, didUnhighlightRowAt: path)
            app.director.tableView(app.table, didSelectRowAt: IndexPath(row: 1, section: 0))
            #expect(app.table.violations == [])
        }
    }

    @Test("without a network taps wait in their file, the list says that it is old, and both go on where they were")
    func offline() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contacts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = ListStore(folder: folder, pause: .milliseconds(10))
        let file = folder.appendingPathComponent("reports")
        try await ListenerFixture.run { listener in
            try await DataFolderFixture().withServer(data: "memory") { board in
                let contacts = try await makeContacts(board, hooks: ["didSelect": hook(listener)])
                let transport = CutTransport()
                let mobile = try Callboard(server: board.server.absoluteString, transport: transport)
                do {
                    let queue = try ReportQueue(mobile, file: file, reconnect: Self.quick.reconnect)
                    let app = App(mobile, store: store, reports: queue)
                    try await until("three rows, live") { app.names.count == 3 && app.list.status == .live }
                    transport.cut()
                    try await until("it is old") { app.list.isStale }
                    for row in 0..<3 { app.table.tap(at: IndexPath(row: row, section: 0)) }
                    try await until("the taps are kept") { await queue.count == 3 }
                    try await until("the list is kept") {
                        (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) == 2
                    }
                    await queue.close()
                }
                try await contacts.addElements([element("Bo")], in: "friends", .reload)
                // The app starts without a network: the list is there at once.
                let queue = try ReportQueue(mobile, file: file, reconnect: Self.quick.reconnect)
                #expect(queue.faults.isEmpty)
                let app = App(mobile, store: store, reports: queue)
                #expect(app.names == ["John", "Mark", "Anita"] && app.list.isStale)
                transport.mend()
                try await until("the change has come") { app.names == ["John", "Mark", "Anita", "Bo"] }
                #expect(transport.lastEventID?.hasSuffix("-1") == true, "\(String(describing: transport.lastEventID))")
                await queue.waitUntilEmpty()
                try await until("three taps") { listener.receptions.count == 3 }
                #expect(
                    listener.receptions.map { $0.event.data["element"]?["id"]?.stringValue } == [
                        "John", "Mark", "Anita",
                    ])
                await queue.close()
            }
        }
    }

    @Test(
        "an element that the app has no adapter for, or whose value is another, is an empty row and a fault with its name"
    )
    func misfit() async throws {
        try await DataFolderFixture().withServer(data: "memory") { board in
            let contacts = try await makeContacts(board)
            try await contacts.register(CellAdapterDraft(model: "Advert", cell: "AdvertCell", identifier: "{id}"))
            try await contacts.addElements(
                [ElementDraft(["id": "new"], model: "Advert")], in: "friends", .reload)
            try await contacts.addElements([ElementDraft(["name": 5], model: "Contact")], in: "friends", .reload)
            let app = App(board)
            try await until("five rows") { app.names == ["John", "Mark", "Anita", "?", "?"] }
            #expect(app.list.faults.map(\.element) == ["new", "5"] && app.table.violations == [])
            #expect(app.list.faults.first?.reason == "the app has registered no adapter for the model Advert")
            app.table.tap(at: IndexPath(row: 4, section: 0))
        }
    }
}
