/// The kinds of operation that a changeset holds, by the names that they have on the wire.
public enum ChangesetOperation: String, CaseIterable, Hashable, Sendable {
    /// An element's content is replaced where it stands.
    case elementUpdated
    /// A section is removed with all that it holds.
    case sectionDeleted
    /// An element is removed from a section that stays.
    case elementDeleted
    /// A section is added with all that it holds.
    case sectionInserted
    /// A section changes its place.
    case sectionMoved
    /// An element is added to a section that was there before.
    case elementInserted
    /// An element changes its place, in its section or into another one.
    case elementMoved
    /// A section's own content is replaced; its elements stay.
    case sectionUpdated
}

/// An element and where it is put: the target of an insert or the place of an update.
@frozen
public struct ElementChange<Element> {
    /// Before the stage for an update, after it for an insert.
    public var at: ElementPath

    /// The element as it is in the target.
    public var element: Element

    /// Pairs an element with its place.
    @inlinable
    public init(at: ElementPath, element: Element) {
        self.at = at
        self.element = element
    }
}

/// A section and where it is put: the target of an insert or the place of an update.
@frozen
public struct SectionChange<Section> {
    /// Before the stage for an update, after it for an insert.
    public var at: Int

    /// The section as it is in the target: with its elements for an insert, without any for an update.
    public var section: Section

    /// Pairs a section with its place.
    @inlinable
    public init(at: Int, section: Section) {
        self.at = at
        self.section = section
    }
}

/// An element's way from one place to another.
@frozen
public struct ElementMove: Hashable, Sendable {
    /// The place before the stage.
    public var from: ElementPath

    /// The place after the stage.
    public var to: ElementPath

    /// Makes a move.
    @inlinable
    public init(from: ElementPath, to: ElementPath) {
        self.from = from
        self.to = to
    }
}

/// A section's way from one place to another.
@frozen
public struct SectionMove: Hashable, Sendable {
    /// The place before the stage.
    public var from: Int

    /// The place after the stage.
    public var to: Int

    /// Makes a move.
    @inlinable
    public init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }
}

extension ElementChange: Sendable where Element: Sendable {}
extension ElementChange: Equatable where Element: Equatable {}
extension SectionChange: Sendable where Section: Sendable {}
extension SectionChange: Equatable where Section: Equatable {}
