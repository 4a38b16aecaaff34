import CallboardClient
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RowAnimations {
    /// The animations that a changeset's publisher wishes.
    ///
    /// - Parameters:
    ///   - animations: The animations; one of an unknown name counts as none given.
    ///   - others: The animation of the kinds that are not named.
    public init(_ animations: ListAnimations, others: UITableView.RowAnimation = .automatic) {
        self.init(animations.compactMapValues(UITableView.RowAnimation.init(callboard:)), others: others)
    }
}

extension RemoteChangeset {
    /// How the one who published the changeset wants it shown in a table.
    public var tableAnimations: RowAnimations { RowAnimations(animations) }
}

extension UITableView.RowAnimation {
    init?(callboard animation: ListAnimation) {
        switch animation {
        case .none: self = .none
        case .fade: self = .fade
        case .right: self = .right
        case .left: self = .left
        case .top: self = .top
        case .bottom: self = .bottom
        case .middle: self = .middle
        case .automatic: self = .automatic
        default: return nil
        }
    }
}
