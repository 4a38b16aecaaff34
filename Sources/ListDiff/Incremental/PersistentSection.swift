/// A section of a persistent list, whose elements are a persistent list themselves.
///
/// A comparison of two lists of such sections visits only the nodes that they do not share: its time depends on the
/// size of the change and not on the lengths of the lists.
public protocol PersistentSection: DifferentiableSection, ListItem where Element: ListItem {
    /// The elements in the order in which they are shown; none where the section shows none.
    ///
    /// A section that nothing has been done to has to hand out the very same list each time: that it is the same is how
    /// the section is passed over.
    var content: PersistentList<Element> { get }

    /// Makes a section that has the identity and content of another one and shows elements of its own.
    ///
    /// Copying a section with its own content has to give a section that shows the same.
    init(copying section: Self, content: PersistentList<Element>)
}

extension PersistentSection {
    /// The content as an array; O(*n*).
    @inlinable
    public var elements: [Element] {
        Array(content)
    }

    /// Makes a persistent list of the elements; O(*n* log *n*).
    @inlinable
    public init(copying section: Self, elements: [Element]) {
        self.init(copying: section, content: PersistentList(elements))
    }
}
