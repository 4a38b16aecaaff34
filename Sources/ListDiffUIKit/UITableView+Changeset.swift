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
    ///   - interrupt: whether a change is too large to be shown by its stages, such as one of thousands of rows: the table
    ///     then reloads without animation.
    ///   - setData: gives the data source its next state.
    /// - Throws: `ChangesetError` where the changeset does not begin at `current`; nothing has been shown then.
    public func reload<Section: DifferentiableSection>(
        using changeset: StagedChangeset<Section>,
        from current: [Section],
        animations: RowAnimations = RowAnimations(),
        interrupt: (StagedChangeset<Section>) -> Bool = { _ in false },
        setData: @escaping ([Section]) -> Void
    ) throws {
        let states = try changeset.states(from: current)
        show(changeset.stages, states, animations, isInterrupted: interrupt(changeset), setData)
    }

    /// Shows stages, each with the state that it leads to; a state more is set without a stage.
    package func show<Section, State>(
        _ stages: [Changeset<Section>], _ states: [State], _ animations: RowAnimations,
        isInterrupted: Bool = false, _ setData: @escaping (State) -> Void
    ) {
        guard let last = states.last else { return }
        guard window != nil, !isInterrupted else {
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

    private func apply<Section>(_ stage: Changeset<Section>, _ animations: RowAnimations) {
        let sets = StageIndexes(stage)
        if !sets.sectionDeleted.isEmpty {
            deleteSections(sets.sectionDeleted, with: animations[.sectionDeleted])
        }
        if !sets.elementDeleted.isEmpty {
            deleteRows(at: sets.elementDeleted, with: animations[.elementDeleted])
        }
        if !sets.sectionInserted.isEmpty {
            insertSections(sets.sectionInserted, with: animations[.sectionInserted])
        }
        if !sets.elementInserted.isEmpty {
            insertRows(at: sets.elementInserted, with: animations[.elementInserted])
        }
        if !sets.sectionUpdated.isEmpty {
            reloadSections(sets.sectionUpdated, with: animations[.sectionUpdated])
        }
        if !sets.elementUpdated.isEmpty {
            reloadRows(at: sets.elementUpdated, with: animations[.elementUpdated])
        }
        for move in stage.sectionMoved { moveSection(move.from, toSection: move.to) }
        for move in stage.elementMoved { moveRow(at: move.from.indexPath, to: move.to.indexPath) }
    }
}
