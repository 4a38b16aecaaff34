import JSONValues

/// The type of a question's answer, and of a parameter.
package enum AnswerType: String, Hashable, Sendable, CaseIterable {
    /// `true` or `false`.
    case boolean
    /// A finite number.
    case number
    /// A number of points from zero, or -1 for UIKit's `automaticDimension`.
    case height
    /// A whole number from zero.
    case integer
    /// A text.
    case string
    /// A text or null.
    case optionalString
    /// `{"width", "height"}` in points, neither below zero.
    case size
    /// `{"x", "y"}` in points.
    case point
    /// `{"top", "left", "bottom", "right"}` in points.
    case insets
    /// `[section, element]`.
    case indexPath
    /// `[section, element]` or null.
    case optionalIndexPath
    /// `"none"`, `"delete"` or `"insert"` (UIKit's `UITableViewCell.EditingStyle`).
    case editStyle
    /// A list of actions, or null for what UIKit does by itself.
    case actions
    /// The same, or `{"actions", "performsFirstActionWithFullSwipe"}` (UIKit's `UISwipeActionsConfiguration`).
    case swipeActions
    /// A list of what is dragged, each `{"text", "type", "localObject", "sourceIndexPath"}` (UIKit's `UIDragItem`).
    case dragItems
    /// `{"operation", "intent"}` (UIKit's `UITableViewDropProposal` and `UICollectionViewDropProposal`).
    case dropProposal
}
