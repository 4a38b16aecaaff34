// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

@MainActor
public protocol UITableViewDragDelegate: AnyObject {
    func tableView(
        _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
    ) -> [UIDragItem]
    func tableView(
        _ tableView: UITableView, itemsForAddingTo session: any UIDragSession, at indexPath: IndexPath, point: CGPoint
    ) -> [UIDragItem]
    func tableView(_ tableView: UITableView, dragSessionWillBegin session: any UIDragSession)
    func tableView(_ tableView: UITableView, dragSessionDidEnd session: any UIDragSession)
    func tableView(
        _ tableView: UITableView, dragSessionAllowsMoveOperation session: any UIDragSession
    ) -> Bool
    func tableView(
        _ tableView: UITableView, dragSessionIsRestrictedToDraggingApplication session: any UIDragSession
    ) -> Bool
}

@MainActor
public protocol UITableViewDropDelegate: AnyObject {
    func tableView(_ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator)
    func tableView(_ tableView: UITableView, canHandle session: any UIDropSession) -> Bool
    func tableView(_ tableView: UITableView, dropSessionDidEnter session: any UIDropSession)
    func tableView(
        _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> UITableViewDropProposal
    func tableView(_ tableView: UITableView, dropSessionDidExit session: any UIDropSession)
    func tableView(_ tableView: UITableView, dropSessionDidEnd session: any UIDropSession)
}

@MainActor
public final class UITableViewDropProposal: UIDropProposal {
    public enum Intent: Int, Sendable {
        case unspecified
        case insertAtDestinationIndexPath
        case insertIntoDestinationIndexPath
        case automatic
    }

    public let intent: Intent

    public init(operation: UIDropOperation, intent: Intent) {
        self.intent = intent
        super.init(operation: operation)
    }
}

@MainActor
public protocol UITableViewDropItem: AnyObject {
    var dragItem: UIDragItem { get }
    var sourceIndexPath: IndexPath? { get }
}

@MainActor
public protocol UITableViewDropCoordinator: AnyObject {
    var items: [any UITableViewDropItem] { get }
    var destinationIndexPath: IndexPath? { get }
    var proposal: UITableViewDropProposal { get }
    var session: any UIDropSession { get }
}

private final class Item: UITableViewDropItem {
    let dragItem: UIDragItem
    let sourceIndexPath: IndexPath?

    init(_ item: UIDragItem, _ path: IndexPath?) { (dragItem, sourceIndexPath) = (item, path) }
}

private final class Coordinator: UITableViewDropCoordinator {
    let items: [any UITableViewDropItem]
    let destinationIndexPath: IndexPath?
    let proposal: UITableViewDropProposal
    let session: any UIDropSession

    init(_ view: UITableView, _ drag: UserDrag, _ path: IndexPath?, _ proposal: UITableViewDropProposal) {
        items = drag.items.map { Item($0, drag.path(of: $0, in: view)) }
        (destinationIndexPath, self.proposal, session) = (path, proposal, drag)
    }
}

extension UITableView: DragSource, DropTarget {
    /// Begins to drag a cell; nil where it is not dragged.
    public func beginDrag(at path: IndexPath) -> UserDrag? {
        dragInteractionEnabled && dragDelegate != nil ? UserDrag(in: self, at: path) : nil
    }

    func items(beginning drag: UserDrag, at path: IndexPath) -> [UIDragItem] {
        dragDelegate?.tableView(self, itemsForBeginning: drag, at: path) ?? []
    }

    func items(addingTo drag: UserDrag, at path: IndexPath, point: CGPoint) -> [UIDragItem] {
        dragDelegate?.tableView(self, itemsForAddingTo: drag, at: path, point: point) ?? []
    }

    func isRestricted(_ drag: UserDrag) -> Bool {
        dragDelegate?.tableView(self, dragSessionIsRestrictedToDraggingApplication: drag) ?? false
    }

    func allowsMove(_ drag: UserDrag) -> Bool {
        dragDelegate?.tableView(self, dragSessionAllowsMoveOperation: drag) ?? true
    }

    func willBegin(_ drag: UserDrag) { dragDelegate?.tableView(self, dragSessionWillBegin: drag) }
    func didEnd(_ drag: UserDrag) { dragDelegate?.tableView(self, dragSessionDidEnd: drag) }

    func canHandle(_ drag: UserDrag) -> Bool { dropDelegate?.tableView(self, canHandle: drag) ?? false }
    func didEnter(_ drag: UserDrag) { dropDelegate?.tableView(self, dropSessionDidEnter: drag) }
    func didExit(_ drag: UserDrag) { dropDelegate?.tableView(self, dropSessionDidExit: drag) }
    func didEndDrop(_ drag: UserDrag) { dropDelegate?.tableView(self, dropSessionDidEnd: drag) }

    func proposal(for drag: UserDrag, at path: IndexPath?) -> UIDropProposal {
        dropDelegate?.tableView(self, dropSessionDidUpdate: drag, withDestinationIndexPath: path)
            ?? UIDropProposal(operation: .cancel)
    }

    func drop(_ drag: UserDrag, at path: IndexPath?, _ proposal: UIDropProposal) {
        guard let proposal = proposal as? UITableViewDropProposal else { return }
        dropDelegate?.tableView(self, performDropWith: Coordinator(self, drag, path, proposal))
    }
}
