import CallboardUIKit
import Foundation
import ListDiff
import Testing
import UIKitDouble

@testable import CallboardClient

/// A table and a collection that show the same list, in turn: what holds for one view holds for the other.
@MainActor
enum ShownView {
    case table(UITableView, RemoteTableDirector)
    case collection(UICollectionView, RemoteCollectionDirector)

    /// Shows a list in a view of a kind, with closures.
    static func make(
        _ kind: Kind, _ fixture: ListFixture, _ closures: any SharedClosures = NoClosures()
    ) -> ShownView {
        switch kind {
        case .table:
            let shown = TableFixture(fixture) { closures.set(&$0.events) }
            return .table(shown.table, shown.director)
        case .collection:
            let view = UICollectionView(collectionViewLayout: UICollectionViewFlowLayout())
            view.window = UIWindow()
            let director = RemoteCollectionDirector(collection: view, list: fixture.list)
            director.registerCellAdapter(
                CollectionCellAdapter<Contact, TestItemCell> { closures.set(&$0.events) })
            view.layoutIfNeeded()
            return .collection(view, director)
        }
    }

    enum Kind: String, CaseIterable {
        case table
        case collection
    }

    var director: RemoteListDirector {
        switch self {
        case .table(_, let director): director
        case .collection(_, let director): director
        }
    }

    func layout() {
        switch self {
        case .table(let view, _): view.layoutIfNeeded()
        case .collection(let view, _): view.layoutIfNeeded()
        }
    }

    func press(_ rows: Int...) -> ShownMenu? {
        switch self {
        case .table(let view, _): view.press(path(rows[0]), at: CGPoint(x: 3, y: 4))
        case .collection(let view, _): view.press(rows.map { path($0) }, at: CGPoint(x: 3, y: 4))
        }
    }

    func pan(from row: Int) -> Bool {
        switch self {
        case .table(let view, _): view.pan(from: path(row))
        case .collection(let view, _): view.pan(from: path(row))
        }
    }

    func performPrimaryAction(_ row: Int) {
        switch self {
        case .table(let view, _): view.delegate?.tableView(view, performPrimaryActionForRowAt: path(row))
        case .collection(let view, _): view.delegate?.collectionView(view, performPrimaryActionForItemAt: path(row))
        }
    }

    func beginDrag(_ row: Int) -> UserDrag? {
        switch self {
        case .table(let view, _): view.beginDrag(at: path(row))
        case .collection(let view, _): view.beginDrag(at: path(row))
        }
    }

    func move(_ drag: UserDrag, to row: Int?) {
        switch self {
        case .table(let view, _): drag.move(over: view, to: row.map { path($0) })
        case .collection(let view, _): drag.move(over: view, to: row.map { path($0) })
        }
    }

    private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }
}

/// Closures of events that the cells of tables and collections share.
@MainActor
protocol SharedClosures {
    func set<Cell, Names: CellEventNames>(_ events: inout EventHandlers<Names, CellContext<Contact, Cell>>)
}

/// None.
struct NoClosures: SharedClosures {
    func set<Cell, Names: CellEventNames>(_ events: inout EventHandlers<Names, CellContext<Contact, Cell>>) {}
}

/// What closures were called for, in their order.
@MainActor
final class Log {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}

extension ListFixture {
    /// Publishes a list of contacts with these names, in one section.
    func publish(
        _ names: [String], version: Int = 1, hooks: JSON = [:], director: JSON = [:], scroll: JSON = [:],
        properties: JSON = [:]
    ) throws {
        let snapshot: JSON = [
            "director": "d", "kind": "table", "epoch": "e", "version": .number(JSONNumber(version)),
            "properties": properties, "events": director, "scrollEvents": scroll,
            "adapters": [["model": "Contact", "cell": "TestCell", "events": hooks]],
            "sections": [
                [
                    "id": "s",
                    "elements": .array(
                        names.map {
                            ["id": .string($0), "model": "Contact", "value": ["name": .string($0), "age": 1]]
                        }),
                ]
            ],
        ]
        list.take(.replaced(try RemoteList(Snapshot(JSONReader(snapshot))), reset: nil))
    }

    /// Waits until the views have asked what they want to know.
    func idle(_ views: ShownView...) async throws {
        for view in views {
            await Task.yield()
            try await until { view.director.delegate.asking == nil }
        }
    }

    /// Waits for a condition that another task brings about.
    func until(_ condition: () -> Bool) async throws {
        for _ in 0..<2_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
        #expect(condition())
    }
}
