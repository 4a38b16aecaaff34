import CallboardClient
import CallboardUIKit
import Foundation
import ListDiff
import UIKitDouble

@testable import CallboardClient

struct Contact: Decodable, Equatable, Sendable {
    let name: String
    let age: Int
}

final class TestCell: UITableViewCell {
    var contact: Contact?
}

final class TestItemCell: UICollectionViewCell {
    var contact: Contact?
}

/// A followed list without a server, whose updates a test gives it.
@MainActor
struct ListFixture {
    let transport: HookTransport
    let queue: ReportQueue
    let list: FollowedList

    init(
        _ transport: HookTransport = HookTransport(), reconnect: ReconnectPolicy = ReconnectPolicy(),
        store: ListStore? = nil
    ) throws {
        self.transport = transport
        let callboard = try Callboard(
            server: "http://localhost", transport: transport, configuration: .init(patience: .zero))
        queue = try ReportQueue(callboard, reconnect: reconnect)
        list = callboard.follow("d", store: store, reports: queue)
    }

    /// Waits until what was reported has been handed over and has arrived.
    func settle(_ count: Int) async throws {
        while transport.reports.count < count { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// A table of contacts that shows a followed list.
@MainActor
struct TableFixture {
    let fixture: ListFixture
    let table = UITableView()
    let director: RemoteTableDirector

    init(
        _ fixture: ListFixture, inWindow: Bool = true,
        _ configure: (TableCellAdapter<Contact, TestCell>) -> Void = { _ in }
    ) {
        self.fixture = fixture
        if inWindow { table.window = UIWindow() }
        director = RemoteTableDirector(table: table, list: fixture.list)
        director.registerCellAdapter(
            TableCellAdapter<Contact, TestCell> { adapter in
                adapter.events.dequeue = { $0.cell?.contact = $0.element }
                configure(adapter)
            })
        table.layoutIfNeeded()
    }

    /// What is wrong with the rows in sight: a cell that shows another element than the list has there.
    func faults() -> [String] {
        let shown = (table.indexPathsForVisibleRows ?? []).compactMap { path -> String? in
            let value = director.delegate.sections.element(at: ElementPath(path))?.value
            let contact = try? value?.decode(as: Contact.self)
            let cell = table.cellForRow(at: path) as? TestCell
            return cell?.contact == contact
                ? nil : "\(path) shows \(String(describing: cell?.contact)), not \(contact as Any)"
        }
        return table.violations + shown
    }
}
