import ListDiff

/// How a client is to animate one kind of operation (UIKit's `UITableView.RowAnimation`).
package enum Animation: String, Hashable, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// By fading in or out.
    case fade
    /// From or to the right.
    case right
    /// From or to the left.
    case left
    /// From or to the top.
    case top
    /// From or to the bottom.
    case bottom
    /// Centred.
    case middle
    /// As the client sees fit.
    case automatic
}

/// The animations that a reload's caller wishes, by kind of operation; other kinds are left to the client.
package struct Animations: Hashable, Sendable {
    /// The animation of each kind that has one.
    package var byOperation: [ChangesetOperation: Animation]

    /// Makes wishes.
    package init(_ byOperation: [ChangesetOperation: Animation] = [:]) {
        self.byOperation = byOperation
    }
}
