import Foundation
import ListDiff

/// The events of a director as a whole: those of its headers and footers, of dragging and dropping, and of its scroll
/// view.
public struct DirectorEvents: EventNames {
    /// Makes the names.
    public init() {}

    /// A header comes into sight, a view or a title; the context has its ``DirectorContext/section``.
    public var willDisplayHeader: ListNotification { .init("willDisplayHeader") }
    /// A footer comes into sight, a view or a title.
    public var willDisplayFooter: ListNotification { .init("willDisplayFooter") }
    /// A header has gone out of sight.
    public var endDisplayHeader: ListNotification { .init("endDisplayHeader") }
    /// A footer has gone out of sight.
    public var endDisplayFooter: ListNotification { .init("endDisplayFooter") }

    // MARK: Dragging and dropping

    /// The user begins to drag items of the list.
    public var willBeginDragSession: ListNotification { .init("willBeginDragSession") }
    /// Items of the list are no longer being dragged, dropped or not.
    public var didEndDragSession: ListNotification { .init("didEndDragSession") }
    /// Whether items of the list cannot be dropped in another app. A hook, which is asked ahead, is not told of the
    /// items.
    public var dragSessionRestrictedToApp: ListQuestion<Bool> { .init("dragSessionRestrictedToApp") }
    /// Whether items of the list can be moved to where they are dropped, and not only copied. A hook, which is asked
    /// ahead, is not told of the items.
    public var dragSessionAllowsMoveOperation: ListQuestion<Bool> { .init("dragSessionAllowsMoveOperation") }
    /// Whether items may be dropped on the list.
    public var acceptDropSession: ListQuestion<Bool> { .init("acceptDropSession") }
    /// The user has dropped items on the list; the context has the ``DirectorContext/destination``.
    public var performDrop: ListNotification { .init("performDrop") }
    /// The effect of a drop at the ``DirectorContext/destination``.
    public var dropSessionDidUpdate: ListQuestion<DropProposal> { .init("dropSessionDidUpdate") }
    /// Items are dragged over the list.
    public var dropSessionDidEnter: ListNotification { .init("dropSessionDidEnter") }
    /// Items are no longer over the list.
    public var dropSessionDidExit: ListNotification { .init("dropSessionDidExit") }
    /// Items that were over the list are no longer being dragged, dropped or not.
    public var dropSessionDidEnd: ListNotification { .init("dropSessionDidEnd") }

    // MARK: Stacks

    /// The rows of a stack have been laid out.
    public var didUpdateLayout: ListNotification { .init("didUpdateLayout") }
    /// The content of a stack takes more or less room than before; the context has the ``DirectorContext/contentSize``.
    public var contentSizeDidChange: ListNotification { .init("contentSizeDidChange") }

    // MARK: The scroll view

    /// The content has moved.
    public var didScroll: ListNotification { .init("didScroll") }
    /// An animation that a program began has brought the content to its place.
    public var endScrollingAnimation: ListNotification { .init("endScrollingAnimation") }
    /// Whether a tap on the status bar brings the content to its beginning.
    public var shouldScrollToTop: ListQuestion<Bool> { .init("shouldScrollToTop") }
    /// The content stands at its beginning.
    public var didScrollToTop: ListNotification { .init("didScrollToTop") }
    /// The user begins to drag.
    public var willBeginDragging: ListNotification { .init("willBeginDragging") }
    /// The user lets go.
    public var willEndDragging: ListNotification { .init("willEndDragging") }
    /// The user has let go.
    public var endDragging: ListNotification { .init("endDragging") }
    /// The content goes on by itself and slows down.
    public var willBeginDecelerating: ListNotification { .init("willBeginDecelerating") }
    /// The content has come to rest.
    public var endDecelerating: ListNotification { .init("endDecelerating") }
    /// The user begins to zoom.
    public var willBeginZooming: ListNotification { .init("willBeginZooming") }
    /// The zooming has come to its end.
    public var endZooming: ListNotification { .init("endZooming") }
    /// The content is enlarged or reduced.
    public var didZoom: ListNotification { .init("didZoom") }
    /// The margins around the content have changed.
    public var didChangeAdjustedContentInset: ListNotification { .init("didChangeAdjustedContentInset") }
}

/// The context of a closure of a director's own event.
public struct DirectorContext: Sendable {
    /// The event's parameters, as the server is told them.
    public let parameters: JSONObject
    /// Of a header's or footer's event: the section's position in the view.
    public let section: Int?

    init(_ parameters: JSONObject, section: Int? = nil) { (self.parameters, self.section) = (parameters, section) }

    /// Of dragging and dropping: what is dragged.
    public var items: [DragItem] { parameters["items"].flatMap([DragItem].init(answer:)) ?? [] }
    /// Of dropping: where the items would go; nil for no place.
    public var destination: ElementPath? { parameters["destination"].flatMap(ElementPath.init(answer:)) }
    /// Of `contentSizeDidChange`: how large the content is.
    public var contentSize: CGSize? { parameters["new"].flatMap(CGSize.init(answer:)) }
    /// Of `performDrop`: what was proposed for the place.
    public var proposal: DropProposal? { parameters["proposal"].flatMap(DropProposal.init(answer:)) }
}
