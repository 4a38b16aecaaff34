// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A view that a drag can begin in: what its delegate answers.
@MainActor
protocol DragSource: UIView {
    func items(beginning drag: UserDrag, at path: IndexPath) -> [UIDragItem]
    func items(addingTo drag: UserDrag, at path: IndexPath, point: CGPoint) -> [UIDragItem]
    func isRestricted(_ drag: UserDrag) -> Bool
    func allowsMove(_ drag: UserDrag) -> Bool
    func willBegin(_ drag: UserDrag)
    func didEnd(_ drag: UserDrag)
}

/// A view that a drag can end over: what its delegate answers.
@MainActor
protocol DropTarget: UIView {
    func canHandle(_ drag: UserDrag) -> Bool
    func didEnter(_ drag: UserDrag)
    func proposal(for drag: UserDrag, at path: IndexPath?) -> UIDropProposal
    func didExit(_ drag: UserDrag)
    func drop(_ drag: UserDrag, at path: IndexPath?, _ proposal: UIDropProposal)
    func didEndDrop(_ drag: UserDrag)
}

/// The drag of a test: what a user does with a finger, over one view or several, in UIKit's order.
@MainActor
public final class UserDrag: UIDragSession, UIDropSession {
    public private(set) var items: [UIDragItem] = []
    /// Whether no other app can take what is dragged.
    public private(set) var isRestricted = false
    /// Whether what is dragged may be moved.
    public private(set) var allowsMove = false
    /// The effect of a drop where the items are now.
    public var operation: UIDropOperation { proposal?.operation ?? .cancel }
    private var proposal: UIDropProposal?
    private var paths: [UIDragItem: IndexPath] = [:]
    private var source: (any DragSource)?
    private var target: (any DropTarget)?
    private var destination: IndexPath?
    private var visited: [any DropTarget] = []

    /// Begins a drag in a view; nil where nothing is dragged there.
    init?(in source: any DragSource, at path: IndexPath) {
        self.source = source
        take(source.items(beginning: self, at: path), path)
        guard !items.isEmpty else { return nil }
        isRestricted = source.isRestricted(self)
        allowsMove = source.allowsMove(self)
        source.willBegin(self)
    }

    /// Begins a drag in another app.
    public init(text: String?, type: String = "public.utf8-plain-text") {
        let item = text.map { NSString(string: $0) }
        items = [UIDragItem(itemProvider: NSItemProvider(item: item, typeIdentifier: type))]
    }

    /// Taps another cell of the view that the drag began in.
    public func add(at path: IndexPath, point: CGPoint = .zero) {
        take(source?.items(addingTo: self, at: path, point: point) ?? [], path)
    }

    /// Moves over a place of a table.
    public func move(over table: UITableView, to path: IndexPath?) { move(over: table as any DropTarget, to: path) }

    /// Moves over a place of a collection.
    public func move(over collection: UICollectionView, to path: IndexPath?) {
        move(over: collection as any DropTarget, to: path)
    }

    /// Moves away from what is below.
    public func leave() {
        target?.didExit(self)
        (target, proposal) = (nil, nil)
    }

    /// Lets go.
    public func drop() {
        if let target, let proposal, [.copy, .move].contains(proposal.operation) {
            target.drop(self, at: destination, proposal)
        }
        for view in visited { view.didEndDrop(self) }
        source?.didEnd(self)
    }

    /// The place of an item in a view, where it comes from there.
    func path(of item: UIDragItem, in view: UIView) -> IndexPath? { view === source ? paths[item] : nil }

    private func take(_ new: [UIDragItem], _ path: IndexPath) {
        for item in new { paths[item] = path }
        items += new
    }

    private func move(over view: any DropTarget, to path: IndexPath?) {
        if target !== view {
            leave()
            guard view.canHandle(self) else { return }
            view.didEnter(self)
            target = view
            if !visited.contains(where: { $0 === view }) { visited.append(view) }
        }
        (destination, proposal) = (path, view.proposal(for: self, at: path))
    }
}
