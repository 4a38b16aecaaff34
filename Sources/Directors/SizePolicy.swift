/// How a size is settled (FlowKit's `RowHeight` and `ItemSize`).
package enum SizePolicy<Size: Hashable & Sendable>: Hashable, Sendable {
    /// As the view has it.
    case `default`
    /// By the cell's own constraints, beginning with an estimate.
    case auto(estimate: Size)
    /// Always the same.
    case explicit(Size)
}

/// A width and a height in points, neither below zero.
package struct LayoutSize: Hashable, Sendable {
    /// The extent from left to right.
    package var width: Double
    /// The extent from top to bottom.
    package var height: Double

    /// Makes a size.
    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// Distances from the four edges in points; one below zero reaches out.
package struct EdgeInsets: Hashable, Sendable {
    /// The distance from the upper edge.
    package var top: Double
    /// The distance from the left edge.
    package var left: Double
    /// The distance from the lower edge.
    package var bottom: Double
    /// The distance from the right edge.
    package var right: Double

    /// No distance at all.
    package static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// Makes insets.
    package init(top: Double, left: Double, bottom: Double, right: Double) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}
