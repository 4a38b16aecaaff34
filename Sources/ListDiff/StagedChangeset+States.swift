extension StagedChangeset {
    /// The list after each stage, in order: what a view's data source has to answer from that stage on. If elements are
    /// replaced after the last stage, the list once more with these: a state without a stage.
    ///
    /// - Complexity: that of applying every stage once.
    /// - Throws: where a stage does not fit; the error names the stage and the operation.
    public func states(from sections: [Section]) throws(ChangesetError) -> [[Section]] {
        try states(from: sections) { (list, stage, number) throws(ChangesetError) in
            do throws(ChangesetError) {
                return number == nil ? try list.replacing(replaced) : try list.applying(stage)
            } catch {
                throw ChangesetError(
                    stage: number, operation: error.operation, index: error.index, reason: error.reason)
            }
        }
    }

    /// The list after each stage, and after what is replaced, which comes as a stage without a number.
    package func states<List>(
        from list: List, _ apply: (List, Changeset<Section>, Int?) throws(ChangesetError) -> List
    ) throws(ChangesetError) -> [List] {
        var states: [List] = []
        var current = list
        for (number, stage) in stages.enumerated() {
            current = try apply(current, stage, number)
            states.append(current)
        }
        if !replaced.isEmpty { states.append(try apply(current, Changeset(elementUpdated: replaced), nil)) }
        return states
    }
}
