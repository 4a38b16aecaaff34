/// The difference between two states of a list, in at most five stages that are applied one after the other.
@frozen
public struct StagedChangeset<Section: DifferentiableSection> {
    /// The stages in the order in which they are applied; a stage without operations is left out.
    public var stages: [Changeset<Section>]

    /// The elements that show what they showed before and whose values are new all the same, at their places after the
    /// last stage.
    ///
    /// They are put into the list's data once the stages are done, and no cell is touched for them: `isContentEqual(to:)`
    /// calls them equal to what they continue, `isValueEqual(to:)` does not. An element that moves may be one of them;
    /// one that is updated or inserted is none.
    public var replaced: [ElementChange<Section.Element>]

    /// Makes a staged changeset of stages that come from elsewhere, such as the wire.
    ///
    /// Nothing is checked here: `applying(_:)` refuses what does not fit.
    @inlinable
    public init(stages: [Changeset<Section>], replaced: [ElementChange<Section.Element>] = []) {
        self.stages = stages
        self.replaced = replaced
    }

    /// Whether nothing has changed.
    @inlinable
    public var isEmpty: Bool {
        replaced.isEmpty && stages.allSatisfy(\.isEmpty)
    }

    /// The number of operations in all the stages; elements that are `replaced` are not among them.
    @inlinable
    public var operationCount: Int {
        stages.reduce(0) { $0 + $1.operationCount }
    }

    /// The number of operations of one kind in all the stages.
    @inlinable
    public func count(of operation: ChangesetOperation) -> Int {
        stages.reduce(0) { $0 + $1.count(of: operation) }
    }
}

extension StagedChangeset: Sendable where Section: Sendable, Section.Element: Sendable {}
