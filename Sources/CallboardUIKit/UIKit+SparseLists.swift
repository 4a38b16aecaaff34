import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension UITableView {
    /// Shows a change of a list of which only some elements are here, as
    /// `reload(using:from:animations:interrupt:setData:)` does of a whole one.
    ///
    /// - Throws: `ChangesetError` where the changeset does not begin at `current`; nothing has been shown then.
    public func reload(
        using changeset: StagedChangeset<RemoteSection>,
        from current: [SparseSection],
        animations: RowAnimations = RowAnimations(),
        setData: @escaping ([SparseSection]) -> Void
    ) throws {
        show(changeset.stages, try changeset.states(from: current), animations, setData)
    }

    /// The paths of the cells that are shown: what a `LiveSparseList` is to load after each update.
    public var visiblePaths: [ElementPath] { (indexPathsForVisibleRows ?? []).map { ElementPath($0) } }

    /// Has the cells at some paths be asked for anew, once the data source answers with what has been loaded.
    ///
    /// Cells that are not shown are left alone: they are asked for when they are. A cell that stood in for one that was
    /// not here may be of another kind, so cells are replaced, without animation.
    public func showLoaded(_ paths: [ElementPath]) {
        let loaded = Set(visiblePaths).intersection(paths)
        guard !loaded.isEmpty else { return }
        UIView.performWithoutAnimation { reloadRows(at: loaded.map(\.indexPath), with: .none) }
    }
}

extension UICollectionView {
    /// Shows a change of a list of which only some elements are here, as
    /// `reload(using:from:interrupt:setData:)` does of a whole one.
    ///
    /// - Throws: `ChangesetError` where the changeset does not begin at `current`; nothing has been shown then.
    public func reload(
        using changeset: StagedChangeset<RemoteSection>,
        from current: [SparseSection],
        setData: @escaping ([SparseSection]) -> Void
    ) throws {
        show(changeset.stages, try changeset.states(from: current), setData)
    }

    /// The paths of the cells that are shown: what a `LiveSparseList` is to load after each update.
    public var visiblePaths: [ElementPath] { indexPathsForVisibleItems.map { ElementPath($0) } }

    /// Has the cells at some paths be asked for anew, as `UITableView.showLoaded(_:)` does.
    public func showLoaded(_ paths: [ElementPath]) {
        let loaded = Set(visiblePaths).intersection(paths)
        guard !loaded.isEmpty else { return }
        UIView.performWithoutAnimation { reloadItems(at: loaded.map(\.indexPath)) }
    }
}

extension LiveSparseList {
    /// Asks for the elements at UIKit's paths, as a prefetching data source is given them.
    public func load(_ paths: some Sequence<IndexPath>) { load(paths.map { ElementPath($0) }) }
}
