import Foundation
import ListDiff

/// A step of a touch on a row of a stack.
public enum RowTouch: Sendable {
    /// The user touches the row.
    case began
    /// The user has let go of the row.
    case tapped
    /// The touch has become something else, such as a scroll, or has left the row.
    case cancelled
}

// The rows of a stack.
extension ListDelegate {
    /// Whether the rows of a stack follow each other from one side to the other, and not from top to bottom.
    public var isHorizontal: Bool { list.definition?.properties["axis"]?.stringValue == "horizontal" }

    /// How a stack shows a row: as the element's row says, else its adapter, else the director, member by member.
    ///
    /// - Complexity: O(*a*) in the number of adapters.
    public func style(at path: ElementPath) -> RowStyle {
        guard let element = element(at: path) else { return RowStyle() }
        let others = [list.definition?.adapter(for: element), list.definition.map { .object($0.properties) }]
        return others.reduce(element.style ?? RowStyle()) { style, other in
            // A member of another form is left to who comes next: a newer server may know more.
            guard let other, let next = (try? RowStyle(JSONReader(other))) ?? nil else { return style }
            return style.over(next)
        }
    }

    /// The line behind a row of a stack; nil for none.
    ///
    /// There is none if no row, adapter or director says how it looks, or if it is hidden. The last row has none if
    /// `hidesLast` says so.
    public func separator(at path: ElementPath) -> RowSeparator? {
        guard let separator = style(at: path).separator, separator.hidden != true else { return nil }
        let last = sections.lastIndex { !$0.elements.isEmpty }
        let isLast = path.section == last && path.element == sections[path.section].elements.count - 1
        return isLast && separator.hidesLast == true ? nil : separator
    }

    /// How long a row of a stack is, in the stack's direction; nil for as long as its content.
    public func rowLength(at path: ElementPath) -> CGFloat? {
        answer(\StackCellEvents.rowHeight, at: path).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Tells of a touch on a row of a stack: of `onTap`, `didHighlight` and `didUnhighlight`.
    ///
    /// - Parameters:
    ///   - touch: The step of the touch.
    ///   - path: The row's place in the view.
    ///   - cell: The row's cell.
    ///   - isHighlighted: Whether the row is highlighted.
    /// - Returns: Whether the row is highlighted from now on.
    public func take(_ touch: RowTouch, at path: ElementPath, cell: AnyObject?, isHighlighted: Bool) -> Bool {
        switch touch {
        case .began:
            guard answer(\StackCellEvents.shouldHighlight, at: path, cell: cell) ?? true else { return false }
            tell(\StackCellEvents.didHighlight, at: path, cell: cell)
            return true
        case .tapped, .cancelled:
            if isHighlighted { tell(\StackCellEvents.didUnhighlight, at: path, cell: cell) }
            if case .tapped = touch { tell(\StackCellEvents.onTap, at: path, cell: cell) }
            return false
        }
    }

    /// Tells of `didUpdateLayout`, and of `contentSizeDidChange` where the content takes more or less room than before.
    public func tellLayout(from old: CGSize, to new: CGSize) {
        tell(\.didUpdateLayout)
        if old != new { tell(\.contentSizeDidChange, parameters: ["old": JSON(old), "new": JSON(new)]) }
    }
}
