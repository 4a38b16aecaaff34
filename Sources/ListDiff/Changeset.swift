/// The operations of one stage, which a client applies at once, for example in one `performBatchUpdates`.
///
/// Deletes, updates and the source of a move index the list before the stage; inserts and the target of a move index it
/// after the stage. The order of the operations in a member means nothing.
@frozen
public struct Changeset<Section: DifferentiableSection> {
    /// The elements whose content is replaced, at their places before the stage.
    public var elementUpdated: [ElementChange<Section.Element>]

    /// The sections that are removed with their elements, before the stage.
    public var sectionDeleted: [Int]

    /// The elements that are removed from sections that stay, before the stage.
    public var elementDeleted: [ElementPath]

    /// The sections that are added with their elements, after the stage.
    public var sectionInserted: [SectionChange<Section>]

    /// The sections that change places.
    public var sectionMoved: [SectionMove]

    /// The elements that are added to sections that were there before, after the stage.
    public var elementInserted: [ElementChange<Section.Element>]

    /// The elements that change places.
    public var elementMoved: [ElementMove]

    /// The sections whose own content is replaced, before the stage; what they carry has no elements.
    public var sectionUpdated: [SectionChange<Section>]

    /// Makes a changeset of the operations given.
    @inlinable
    public init(
        elementUpdated: [ElementChange<Section.Element>] = [],
        sectionDeleted: [Int] = [],
        elementDeleted: [ElementPath] = [],
        sectionInserted: [SectionChange<Section>] = [],
        sectionMoved: [SectionMove] = [],
        elementInserted: [ElementChange<Section.Element>] = [],
        elementMoved: [ElementMove] = [],
        sectionUpdated: [SectionChange<Section>] = []
    ) {
        self.elementUpdated = elementUpdated
        self.sectionDeleted = sectionDeleted
        self.elementDeleted = elementDeleted
        self.sectionInserted = sectionInserted
        self.sectionMoved = sectionMoved
        self.elementInserted = elementInserted
        self.elementMoved = elementMoved
        self.sectionUpdated = sectionUpdated
    }

    /// The number of operations of all kinds.
    @inlinable
    public var operationCount: Int {
        elementUpdated.count + sectionDeleted.count + elementDeleted.count + sectionInserted.count
            + sectionMoved.count + elementInserted.count + elementMoved.count + sectionUpdated.count
    }

    /// The number of operations of one kind.
    @inlinable
    public func count(of operation: ChangesetOperation) -> Int {
        switch operation {
        case .elementUpdated: elementUpdated.count
        case .sectionDeleted: sectionDeleted.count
        case .elementDeleted: elementDeleted.count
        case .sectionInserted: sectionInserted.count
        case .sectionMoved: sectionMoved.count
        case .elementInserted: elementInserted.count
        case .elementMoved: elementMoved.count
        case .sectionUpdated: sectionUpdated.count
        }
    }

    /// Whether the changeset has no operation at all.
    @inlinable
    public var isEmpty: Bool {
        operationCount == 0
    }

    /// A kind of section operation that the changeset holds, if it holds any.
    @inlinable
    var firstSectionOperation: ChangesetOperation? {
        if !sectionDeleted.isEmpty {
            .sectionDeleted
        } else if !sectionInserted.isEmpty {
            .sectionInserted
        } else if !sectionMoved.isEmpty {
            .sectionMoved
        } else {
            sectionUpdated.isEmpty ? nil : .sectionUpdated
        }
    }
}

extension Changeset: Sendable where Section: Sendable, Section.Element: Sendable {}
