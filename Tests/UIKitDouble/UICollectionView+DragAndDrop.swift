// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

@MainActor
public protocol UICollectionViewDragDelegate: AnyObject {
    func collectionView(
        _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
    ) -> [UIDragItem]
    func collectionView(
        _ collectionView: UICollectionView, itemsForAddingTo session: any UIDragSession, at indexPath: IndexPath,
        point: CGPoint
    ) -> [UIDragItem]
    func collectionView(_ collectionView: UICollectionView, dragSessionWillBegin session: any UIDragSession)
    func collectionView(_ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession)
    func collectionView(
        _ collectionView: UICollectionView, dragSessionAllowsMoveOperation session: any UIDragSession
    ) -> Bool
    func collectionView(
        _ collectionView: UICollectionView, dragSessionIsRestrictedToDraggingApplication session: any UIDragSession
    ) -> Bool
}

@MainActor
public protocol UICollectionViewDropDelegate: AnyObject {
    func collectionView(
        _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator)
    func collectionView(_ collectionView: UICollectionView, canHandle session: any UIDropSession) -> Bool
    func collectionView(_ collectionView: UICollectionView, dropSessionDidEnter session: any UIDropSession)
    func collectionView(
        _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> UICollectionViewDropProposal
    func collectionView(_ collectionView: UICollectionView, dropSessionDidExit session: any UIDropSession)
    func collectionView(_ collectionView: UICollectionView, dropSessionDidEnd session: any UIDropSession)
}

@MainActor
public final class UICollectionViewDropProposal: UIDropProposal {
    public enum Intent: Int, Sendable {
        case unspecified
        case insertAtDestinationIndexPath
        case insertIntoDestinationIndexPath
    }

    public let intent: Intent

    public init(operation: UIDropOperation, intent: Intent) {
        self.intent = intent
        super.init(operation: operation)
    }
}

@MainActor
public protocol UICollectionViewDropItem: AnyObject {
    var dragItem: UIDragItem { get }
    var sourceIndexPath: IndexPath? { get }
}

@MainActor
public protocol UICollectionViewDropCoordinator: AnyObject {
    var items: [any UICollectionViewDropItem] { get }
    var destinationIndexPath: IndexPath? { get }
    var proposal: UICollectionViewDropProposal { get }
    var session: any UIDropSession { get }
}

private final class Item: UICollectionViewDropItem {
    let dragItem: UIDragItem
    let sourceIndexPath: IndexPath?

    init(_ item: UIDragItem, _ path: IndexPath?) { (dragItem, sourceIndexPath) = (item, path) }
}

private final class Coordinator: UICollectionViewDropCoordinator {
    let items: [any UICollectionViewDropItem]
    let destinationIndexPath: IndexPath?
    let proposal: UICollectionViewDropProposal
    let session: any UIDropSession

    init(_ view: UICollectionView, _ drag: UserDrag, _ path: IndexPath?, _ proposal: UICollectionViewDropProposal) {
        items = drag.items.map { Item($0, drag.path(of: $0, in: view)) }
        (destinationIndexPath, self.proposal, session) = (path, proposal, drag)
    }
}

extension UICollectionView: DragSource, DropTarget {
    /// Begins to drag a cell; nil where it is not dragged.
    public func beginDrag(at path: IndexPath) -> UserDrag? {
        dragInteractionEnabled && dragDelegate != nil ? UserDrag(in: self, at: path) : nil
    }

    func items(beginning drag: UserDrag, at path: IndexPath) -> [UIDragItem] {
        dragDelegate?.collectionView(self, itemsForBeginning: drag, at: path) ?? []
    }

    func items(addingTo drag: UserDrag, at path: IndexPath, point: CGPoint) -> [UIDragItem] {
        dragDelegate?.collectionView(self, itemsForAddingTo: drag, at: path, point: point) ?? []
    }

    func isRestricted(_ drag: UserDrag) -> Bool {
        dragDelegate?.collectionView(self, dragSessionIsRestrictedToDraggingApplication: drag) ?? false
    }

    func allowsMove(_ drag: UserDrag) -> Bool {
        dragDelegate?.collectionView(self, dragSessionAllowsMoveOperation: drag) ?? true
    }

    func willBegin(_ drag: UserDrag) { dragDelegate?.collectionView(self, dragSessionWillBegin: drag) }
    func didEnd(_ drag: UserDrag) { dragDelegate?.collectionView(self, dragSessionDidEnd: drag) }

    func canHandle(_ drag: UserDrag) -> Bool { dropDelegate?.collectionView(self, canHandle: drag) ?? false }
    func didEnter(_ drag: UserDrag) { dropDelegate?.collectionView(self, dropSessionDidEnter: drag) }
    func didExit(_ drag: UserDrag) { dropDelegate?.collectionView(self, dropSessionDidExit: drag) }
    func didEndDrop(_ drag: UserDrag) { dropDelegate?.collectionView(self, dropSessionDidEnd: drag) }

    func proposal(for drag: UserDrag, at path: IndexPath?) -> UIDropProposal {
        dropDelegate?.collectionView(self, dropSessionDidUpdate: drag, withDestinationIndexPath: path)
            ?? UIDropProposal(operation: .cancel)
    }

    func drop(_ drag: UserDrag, at path: IndexPath?, _ proposal: UIDropProposal) {
        guard let proposal = proposal as? UICollectionViewDropProposal else { return }
        dropDelegate?.collectionView(self, performDropWith: Coordinator(self, drag, path, proposal))
    }
}
