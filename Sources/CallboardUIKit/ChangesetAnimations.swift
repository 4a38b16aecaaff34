import CallboardClient
import ListDiff

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// Which animation a table shows for each kind of operation.
///
/// The names are those of the wire: `none`, `fade`, `right`, `left`, `top`, `bottom`, `middle`, `automatic`.
/// Collection views animate by their layout and take no notice.
public struct ChangesetAnimations: Sendable, Hashable {
    private let names: [String: String]
    private let fallback: String

    /// Takes over the animations that a reload's caller sent.
    ///
    /// - Parameter fallback: the name for operations that it does not mention, and for names unknown here.
    public init(_ names: [String: String] = [:], fallback: String = "automatic") {
        self.names = names
        self.fallback = fallback
    }

    /// No animation for any operation.
    public static let none = ChangesetAnimations([:], fallback: "none")

    /// The table's animation for an operation.
    public func rowAnimation(for operation: ChangesetOperation) -> UITableView.RowAnimation {
        let name = names[operation.rawValue] ?? fallback
        return Self.rowAnimation(named: name) ?? Self.rowAnimation(named: fallback) ?? .automatic
    }

    private static func rowAnimation(named name: String) -> UITableView.RowAnimation? {
        switch name {
        case "none": UITableView.RowAnimation.none
        case "fade": .fade
        case "right": .right
        case "left": .left
        case "top": .top
        case "bottom": .bottom
        case "middle": .middle
        case "automatic": .automatic
        default: nil
        }
    }
}

extension RemoteChangeset {
    /// How the one who published the changeset wants it shown.
    public var tableAnimations: ChangesetAnimations { ChangesetAnimations(animations) }
}
