import CallboardClient
import ListDiff

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension UITableView {
    /// Shows a change, stage by stage, each in a batch update of its own.
    ///
    /// `setData` is called once for each stage, inside its batch update, with what the data source has to answer
    /// from then on: UIKit compares the counts before and after. It is called once more where elements are
    /// replaced, which show what they showed. If the table is not in a window, or a stage does not fit the data,
    /// the last state is set and the table reloads without animation.
    ///
    /// - Parameters:
    ///   - changeset: the stages, in order.
    ///   - current: what the data source answers now; the changeset has to begin there.
    ///   - animations: which animation goes with which operation.
    ///   - setData: gives the data source its next state.
    /// - Throws: `ChangesetError` where the changeset does not begin at `current`; nothing has been shown then.
    public func reload<Section: DifferentiableSection>(
        using changeset: StagedChangeset<Section>,
        from current: [Section],
        animations: ChangesetAnimations = ChangesetAnimations(),
        setData: @escaping ([Section]) -> Void
    ) throws {
        show(changeset.stages, try changeset.states(from: current), animations, setData)
    }

    /// Shows a change of a list of which only some elements are here, as
    /// ``reload(using:from:animations:setData:)-(StagedChangeset<Section>,_,_,_)`` does of a whole one.
    ///
    /// - Throws: `ChangesetError` where the changeset does not begin at `current`; nothing has been shown then.
    public func reload(
        using changeset: StagedChangeset<RemoteSection>,
        from current: [SparseSection],
        animations: ChangesetAnimations = ChangesetAnimations(),
        setData: @escaping ([SparseSection]) -> Void
    ) throws {
        show(changeset.stages, try changeset.states(from: current), animations, setData)
    }

    private func show<Section, State>(
        _ stages: [Changeset<Section>], _ states: [State], _ animations: ChangesetAnimations,
        _ setData: @escaping (State) -> Void
    ) {
        guard let last = states.last else { return }
        guard window != nil else {
            setData(last)
            return reloadData()
        }
        for (stage, state) in zip(stages, states) {
            performBatchUpdates {
                setData(state)
                self.apply(stage, animations)
            }
        }
        // What is replaced shows what it showed: no cell is touched.
        if states.count > stages.count { setData(last) }
    }

    private func apply<Section>(_ stage: Changeset<Section>, _ animations: ChangesetAnimations) {
        let sets = StageIndexes(stage)
        if !sets.sectionDeleted.isEmpty {
            deleteSections(sets.sectionDeleted, with: animations.rowAnimation(for: .sectionDeleted))
        }
        if !sets.elementDeleted.isEmpty {
            deleteRows(at: sets.elementDeleted, with: animations.rowAnimation(for: .elementDeleted))
        }
        if !sets.sectionInserted.isEmpty {
            insertSections(sets.sectionInserted, with: animations.rowAnimation(for: .sectionInserted))
        }
        if !sets.elementInserted.isEmpty {
            insertRows(at: sets.elementInserted, with: animations.rowAnimation(for: .elementInserted))
        }
        if !sets.sectionUpdated.isEmpty {
            reloadSections(sets.sectionUpdated, with: animations.rowAnimation(for: .sectionUpdated))
        }
        if !sets.elementUpdated.isEmpty {
            reloadRows(at: sets.elementUpdated, with: animations.rowAnimation(for: .elementUpdated))
        }
        for move in stage.sectionMoved { moveSection(move.from, toSection: move.to) }
        for move in stage.elementMoved { moveRow(at: move.from.indexPath, to: move.to.indexPath) }
    }
}
