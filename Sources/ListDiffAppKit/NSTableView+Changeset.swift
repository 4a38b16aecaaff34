import Foundation
import ListDiff

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    import AppKit
#else
    import AppKitDouble
#endif

extension NSTableView {
    /// Shows a change, stage by stage, each between `beginUpdates()` and `endUpdates()`.
    ///
    /// The rows are the elements of all sections one after the other, without rows for the sections themselves: a
    /// section that comes, goes, moves or is updated does so with its rows. A row that moves and keeps its number,
    /// such as the last of a section that becomes the first of the next, is left alone.
    ///
    /// `setData` is called once for each stage, between the two, with what the data source has to answer from then on:
    /// AppKit asks for the rows of that state. It is called once more where elements are replaced, which show what they
    /// showed. If the table is not in a window, the last state is set and the table reloads without animation.
    ///
    /// - Parameters:
    ///   - changeset: the stages, in order.
    ///   - current: what the data source answers now; the changeset has to begin there.
    ///   - animations: which animation goes with which operation.
    ///   - interrupt: whether a change is too large to be shown by its stages, such as one of thousands of rows: the
    ///     table then reloads without animation.
    ///   - setData: gives the data source its next state.
    /// - Throws: `ChangesetError` where the changeset does not begin at `current`; nothing has been shown then.
    /// - Complexity: O(*n* + *k* log *n*) for each stage, besides AppKit's own work, for *n* rows of which *k* change.
    public func reload<Section: DifferentiableSection>(
        using changeset: StagedChangeset<Section>,
        from current: [Section],
        animations: TableAnimations = TableAnimations(),
        interrupt: (StagedChangeset<Section>) -> Bool = { _ in false },
        setData: ([Section]) -> Void
    ) throws {
        let states = try changeset.states(from: current)
        guard let last = states.last else { return }
        guard window != nil, !interrupt(changeset) else {
            setData(last)
            return reloadData()
        }
        var before = current.map(\.elements.count)
        for (stage, state) in zip(changeset.stages, states) {
            let after = state.map(\.elements.count)
            beginUpdates()
            setData(state)
            apply(RowChanges(RowOrigins(stage, from: before, to: after)), animations)
            endUpdates()
            before = after
        }
        // What is replaced shows what it showed: no row is touched.
        if states.count > changeset.stages.count { setData(last) }
    }

    private func apply(_ changes: RowChanges, _ animations: TableAnimations) {
        for removal in changes.removals where !removal.rows.isEmpty {
            removeRows(at: removal.rows, withAnimation: animations[removal.operation])
        }
        for move in changes.moves { moveRow(at: move.from, to: move.to) }
        for insertion in changes.insertions where !insertion.rows.isEmpty {
            insertRows(at: insertion.rows, withAnimation: animations[insertion.operation])
        }
        if !changes.reloaded.isEmpty {
            let columns = IndexSet(integersIn: 0..<tableColumns.count)
            reloadData(forRowIndexes: changes.reloaded, columnIndexes: columns)
        }
    }
}
