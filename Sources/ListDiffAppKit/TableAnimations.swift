import ListDiff

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    import AppKit
#else
    import AppKitDouble
#endif

/// Which animation a table shows for rows that come or go, by the kind of operation that brings or takes them.
///
/// `NSTableView` has no choice of animation for rows that move or are updated; collections animate by their layout.
public struct TableAnimations: Sendable, Equatable {
    private let animations: [ChangesetOperation: NSTableView.AnimationOptions]
    private let others: NSTableView.AnimationOptions

    /// Makes animations.
    ///
    /// - Parameters:
    ///   - animations: The animation for each kind that has one of its own.
    ///   - others: The animation for the other kinds.
    public init(
        _ animations: [ChangesetOperation: NSTableView.AnimationOptions] = [:],
        others: NSTableView.AnimationOptions = .effectFade
    ) {
        (self.animations, self.others) = (animations, others)
    }

    /// No animation for any operation.
    public static let none = TableAnimations(others: [])

    /// The animation for an operation.
    public subscript(operation: ChangesetOperation) -> NSTableView.AnimationOptions { animations[operation] ?? others }
}
