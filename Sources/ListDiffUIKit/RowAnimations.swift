import ListDiff

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// Which animation a table shows for each kind of operation. Collections animate by their layout and take no notice.
public struct RowAnimations: Sendable, Hashable {
    private let animations: [ChangesetOperation: UITableView.RowAnimation]
    private let others: UITableView.RowAnimation

    /// Makes animations.
    ///
    /// - Parameters:
    ///   - animations: The animation for each kind that has one of its own.
    ///   - others: The animation for the other kinds.
    public init(
        _ animations: [ChangesetOperation: UITableView.RowAnimation] = [:],
        others: UITableView.RowAnimation = .automatic
    ) {
        (self.animations, self.others) = (animations, others)
    }

    /// No animation for any operation.
    public static let none = RowAnimations(others: .none)

    /// The animation for an operation.
    public subscript(operation: ChangesetOperation) -> UITableView.RowAnimation { animations[operation] ?? others }
}
