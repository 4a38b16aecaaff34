import Foundation
import ListDiff

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    import AppKit
#else
    import AppKitDouble
#endif

extension NSCollectionView {
    /// Shows a change, stage by stage, each in a batch update of its own.
    ///
    /// `setData` is called once for each stage, inside its batch update, with what the data source has to answer
    /// from then on: AppKit compares the counts before and after. It is called once more where elements are
    /// replaced, which show what they showed. If the view is not in a window, the last state is set and the view
    /// reloads without animation.
    ///
    /// - Parameters:
    ///   - changeset: the stages, in order.
    ///   - current: what the data source answers now; the changeset has to begin there.
    ///   - interrupt: whether a change is too large to be shown by its stages, such as one of thousands of items: the
    ///     collection then reloads without animation.
    ///   - setData: gives the data source its next state.
    /// - Throws: `ChangesetError` where the changeset does not begin at `current`; nothing has been shown then.
    public func reload<Section: DifferentiableSection>(
        using changeset: StagedChangeset<Section>,
        from current: [Section],
        interrupt: (StagedChangeset<Section>) -> Bool = { _ in false },
        setData: @escaping ([Section]) -> Void
    ) throws {
        let states = try changeset.states(from: current)
        guard let last = states.last else { return }
        guard window != nil, !interrupt(changeset) else {
            setData(last)
            return reloadData()
        }
        for (stage, state) in zip(changeset.stages, states) {
            performBatchUpdates(
                {
                    setData(state)
                    self.apply(stage)
                }, completionHandler: nil)
        }
        // What is replaced shows what it showed: no item is touched.
        if states.count > changeset.stages.count { setData(last) }
    }

    private func apply<Section>(_ stage: Changeset<Section>) {
        let sectionDeleted = IndexSet(stage.sectionDeleted)
        let sectionInserted = IndexSet(stage.sectionInserted.map(\.at))
        let sectionUpdated = IndexSet(stage.sectionUpdated.map(\.at))
        let elementDeleted = Set(stage.elementDeleted.map(\.indexPath))
        let elementInserted = Set(stage.elementInserted.map(\.at.indexPath))
        let elementUpdated = Set(stage.elementUpdated.map(\.at.indexPath))
        if !sectionDeleted.isEmpty { deleteSections(sectionDeleted) }
        if !elementDeleted.isEmpty { deleteItems(at: elementDeleted) }
        if !sectionInserted.isEmpty { insertSections(sectionInserted) }
        if !elementInserted.isEmpty { insertItems(at: elementInserted) }
        if !sectionUpdated.isEmpty { reloadSections(sectionUpdated) }
        if !elementUpdated.isEmpty { reloadItems(at: elementUpdated) }
        for move in stage.sectionMoved { moveSection(move.from, toSection: move.to) }
        for move in stage.elementMoved { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
    }
}
