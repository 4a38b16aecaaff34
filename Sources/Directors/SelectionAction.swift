import JSONValues

/// A client's action on a cell's selection once it has told of it (FlowKit's `TableAdapterCellAction`).
package enum SelectionAction: String, CaseIterable, Sendable {
    /// The cell stays selected.
    case none
    /// The cell is deselected at once.
    case deselect
    /// The cell is deselected with an animation.
    case deselectAnimated
}
