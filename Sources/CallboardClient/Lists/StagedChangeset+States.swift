import ListDiff

extension StagedChangeset {
    /// The list after each stage, in order: what a view's data source has to answer from that stage on. Where elements
    /// are replaced after the last stage, the list once more with these: a state without a stage.
    ///
    /// - Complexity: that of applying every stage once.
    /// - Throws: where a stage does not fit; the error names the stage and the operation.
    public func states(from sections: [Section]) throws(ChangesetError) -> [[Section]] {
        var states: [[Section]] = []
        var current = sections
        for (position, stage) in stages.enumerated() {
            do throws(ChangesetError) {
                current = try current.applying(stage)
            } catch {
                throw ChangesetError(
                    stage: position, operation: error.operation, index: error.index, reason: error.reason)
            }
            states.append(current)
        }
        if !replaced.isEmpty { states.append(try current.replacing(replaced)) }
        return states
    }
}
