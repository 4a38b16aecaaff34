import Foundation
import ListDiff

/// An item on its way: what is dragged, and where it comes from.
public struct DraggedItem {
    /// What is dragged.
    public var item: DragItem
    /// Reads the text of an item of another app, once it is dropped.
    let text: (@MainActor () async -> String?)?
    private weak var origin: ListDelegate?
    private let mark: ElementMark?

    /// Makes an item of another app, or of a view that is no list of this package.
    ///
    /// - Parameters:
    ///   - type: The item's uniform type identifier.
    ///   - text: Reads the item's text once it is dropped.
    public init(type: String?, text: @escaping @MainActor () async -> String?) {
        item = DragItem(type: type)
        (self.text, origin, mark) = (text, nil, nil)
    }

    @MainActor
    init(_ item: DragItem, of origin: ListDelegate, at path: ElementPath) {
        (self.item, self.origin, text, mark) = (item, origin, nil, ElementMark(origin.sections, path))
    }

    /// The item as a list is told of it: with its place, where it comes from the list and is there still.
    @MainActor
    func item(for list: ListDelegate) -> DragItem {
        var item = item
        item.sourceIndexPath = origin === list ? mark?.path(in: list.sections) : nil
        return item
    }
}

/// An element by its identity, which is found again where it stands.
struct ElementMark {
    private let section: String
    private let identity: RemoteElement.Identity
    private let seen: ElementPath

    /// Marks the element at a path; nil where there is none.
    init?(_ sections: [RemoteSection], _ path: ElementPath) {
        guard let element = sections.element(at: path) else { return nil }
        (section, identity, seen) = (sections[path.section].id, element.differenceIdentifier, path)
    }

    /// The place of the element; nil where it is gone.
    func path(in sections: [RemoteSection]) -> ElementPath? { sections.path(of: identity, in: section, near: seen) }
}

// Dragging and dropping. Events tell of at most as many items as the server takes.
extension ListDelegate {
    private static let itemLimit = 64

    /// The items of a drag that begins at an element; none where it cannot be dragged.
    public func dragItems(at path: ElementPath) -> [DraggedItem] {
        dragged(answer(\TableCellEvents.prepareItemForDrag, at: path), at: path)
    }

    /// The items that a tap on an element adds to a drag.
    ///
    /// - Parameters:
    ///   - path: The element's place in the view.
    ///   - point: Where the user has tapped.
    ///   - items: What is dragged already.
    public func dragItems(at path: ElementPath, point: CGPoint, addedTo items: [DraggedItem]) -> [DraggedItem] {
        var parameters = self.parameters(items)
        parameters["point"] = JSON(point)
        let answer = answer(\TableCellEvents.addItemToDragSession, at: path, parameters: parameters)
        return dragged(answer, at: path)
    }

    private func dragged(_ items: [DragItem]?, at path: ElementPath) -> [DraggedItem] {
        (items ?? []).map { DraggedItem($0, of: self, at: path) }
    }

    /// Tells of an event of a drag.
    public func tell(_ event: KeyPath<DirectorEvents, ListNotification>, of items: [DraggedItem]) {
        tell(event, parameters: parameters(items))
    }

    /// Answers a question about a drag that began in the list. A hook was asked ahead, without the items.
    ///
    /// - Returns: The answer; nil leaves it to UIKit.
    public func answer<Answer>(
        _ question: KeyPath<DirectorEvents, ListQuestion<Answer>>, ofDrag items: [DraggedItem]
    ) -> Answer? {
        let closure = events.closure(for: DirectorEvents()[keyPath: question])
        return closure?(DirectorContext(parameters(items))) ?? hookAnswer(question)
    }

    /// Whether items may be dropped on the list. UIKit asks once: where the hook has not answered yet, they may, and
    /// its answer counts in ``dropProposal(for:at:)``.
    public func acceptsDrop(of items: [DraggedItem]) -> Bool {
        answer(\.acceptDropSession, parameters: parameters(items)) ?? true
    }

    /// The effect of a drop at a place; by itself, and until the hook has answered for the place, nothing.
    public func dropProposal(for items: [DraggedItem], at destination: ElementPath?) -> DropProposal {
        let parameters = parameters(items)
        // The closure has been asked, and its answer has counted.
        let isRefused =
            !events.handles(DirectorEvents().acceptDropSession.name)
            && hookAnswer(\.acceptDropSession, parameters: parameters) == false
        guard !isRefused else { return DropProposal(.cancel) }
        let place = parameters.with("destination", destination?.json ?? .null)
        return answer(\.dropSessionDidUpdate, parameters: place) ?? DropProposal(.cancel)
    }

    /// Tells of `performDrop`, once the texts of items of other apps have been read.
    public func drop(_ items: [DraggedItem], at destination: ElementPath?, _ proposal: DropProposal) {
        guard items.contains(where: { $0.text != nil }) else { return tellDrop(items, at: destination, proposal) }
        Task {
            var read = items
            for (index, item) in items.enumerated() {
                if let text = item.text { read[index].item.text = await text() }
            }
            tellDrop(read, at: destination, proposal)
        }
    }

    private func tellDrop(_ items: [DraggedItem], at destination: ElementPath?, _ proposal: DropProposal) {
        let parameters = parameters(items)
        tell(
            \.performDrop,
            parameters: parameters.with("destination", destination?.json ?? .null).with("proposal", proposal.json))
    }

    private func parameters(_ items: [DraggedItem]) -> JSONObject {
        ["items": .array(items.prefix(ListDelegate.itemLimit).map { $0.item(for: self).json })]
    }
}

extension FollowedList {
    /// Whether the list is dragged from and dropped on, as its director says.
    public var isDragged: Bool { definition?.properties["dragDropEnabled"]?.boolValue ?? false }
}

extension JSONObject {
    fileprivate func with(_ name: String, _ value: JSON) -> JSONObject {
        var object = self
        object[name] = value
        return object
    }
}
