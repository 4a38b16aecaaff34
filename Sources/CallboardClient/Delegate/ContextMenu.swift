import Foundation
import ListDiff

/// The menu of a long press while it is shown: its actions and its elements.
@MainActor
public final class ContextMenu {
    /// The actions.
    public let actions: [MenuAction]
    private let delegate: ListDelegate
    private let marks: [ElementMark]

    init(_ actions: [MenuAction], _ delegate: ListDelegate, _ marks: [ElementMark]) {
        (self.actions, self.delegate, self.marks) = (actions, delegate, marks)
    }

    /// Tells each element of `willDisplayContextMenu`.
    public func willDisplay() { tell(\.willDisplayContextMenu) }

    /// Performs an action, or tells each element of `performContextAction` where the action has no closure of its own.
    public func perform(_ action: MenuAction) {
        if let perform = action.perform { return perform() }
        tell(\.performContextAction, parameters: ["action": .string(action.name)])
    }

    /// Tells each element of `performContextAction` without an action: the user has tapped the menu's preview.
    public func performPreview() { tell(\.performContextAction, parameters: ["action": .null]) }

    /// The elements are told where they stand now; one that is gone is not.
    private func tell(_ event: KeyPath<TableCellEvents, ListNotification>, parameters: JSONObject = JSONObject()) {
        for mark in marks {
            guard let path = mark.path(in: delegate.sections) else { continue }
            delegate.tell(event, at: path, parameters: parameters)
        }
    }
}

extension ListDelegate {
    /// The menu of a long press on elements, which are several where several are selected: the actions are those of the
    /// first.
    ///
    /// - Parameters:
    ///   - paths: The elements' places in the view.
    ///   - point: Where the view is pressed.
    /// - Returns: The menu; nil for none.
    public func contextMenu(at paths: [ElementPath], point: CGPoint) -> ContextMenu? {
        guard let path = paths.first,
            let actions = answer(\TableCellEvents.contextMenu, at: path, parameters: ["point": JSON(point)]) ?? nil,
            !actions.isEmpty
        else { return nil }
        return ContextMenu(actions, self, paths.compactMap { ElementMark(sections, $0) })
    }
}
