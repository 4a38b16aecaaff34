/// The difference between two states of a list, in at most five stages that are applied one after the other.
public struct StagedChangeset<Section: DifferentiableSection> {
    /// The stages in the order in which they are applied; a stage without operations is left out.
    public var stages: [Changeset<Section>]

    /// Makes a staged changeset of stages that come from elsewhere, such as the wire.
    ///
    /// Nothing is checked here: `applying(_:)` refuses what does not fit.
    @inlinable
    public init(stages: [Changeset<Section>]) {
        self.stages = stages
    }

    /// Whether nothing has changed.
    @inlinable
    public var isEmpty: Bool {
        stages.allSatisfy(\.isEmpty)
    }

    /// The number of operations in all the stages.
    @inlinable
    public var operationCount: Int {
        stages.reduce(0) { $0 + $1.operationCount }
    }
}

extension StagedChangeset: Sendable where Section: Sendable, Section.Element: Sendable {}
extension StagedChangeset: Equatable where Section: Equatable, Section.Element: Equatable {}
