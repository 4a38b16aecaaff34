import ListDiff

/// A section of a list: an identifier, what it says of itself, and its elements in order.
///
/// Elements are shared, and so is the storage of a section's copy until one of them changes.
package struct Section: Sendable {
    /// What tells the section from the others of its list.
    package private(set) var identifier: String

    /// What the section says of itself.
    package internal(set) var attributes: SectionAttributes

    private(set) var identifierHash: Int

    var content: KeyedList<Element>

    init(identifier: String, attributes: SectionAttributes, elements: [Element]) {
        self.identifier = identifier
        self.attributes = attributes
        identifierHash = identifier.hashValue
        content = KeyedList(elements)
    }

    private init(copying section: Section, content: KeyedList<Element>) {
        self = section
        self.content = content
    }

    /// The elements in order.
    package var elements: [Element] {
        content.items
    }

    /// The number of elements.
    package var count: Int {
        content.count
    }

    /// The section as subscribers show it: a collapsed one stays, with its header and without its elements.
    var projected: Section {
        attributes.isCollapsed && count > 0 ? Section(copying: self, content: KeyedList()) : self
    }

    mutating func rename(_ identifier: String) {
        self.identifier = identifier
        identifierHash = identifier.hashValue
    }
}

extension Section: Identified {}

extension Section: DifferentiableSection {
    /// The identifier, scalar by scalar.
    package var differenceIdentifier: SectionIdentity {
        SectionIdentity(identifier: identifier, hash: identifierHash)
    }

    /// Makes a section of one's attributes and other elements.
    package init(copying section: Section, elements: [Element]) {
        self.init(copying: section, content: KeyedList(elements))
    }

    /// Compares what the sections say of themselves, not their elements.
    package func isContentEqual(to source: Section) -> Bool {
        attributes == source.attributes
    }
}

extension Section: Equatable {
    /// Compares identifiers, attributes and elements.
    package static func == (left: Section, right: Section) -> Bool {
        left.differenceIdentifier == right.differenceIdentifier && left.attributes == right.attributes
            && left.elements == right.elements
    }
}

/// What tells one section from another: its identifier, scalar by scalar.
package struct SectionIdentity: Hashable, Sendable {
    fileprivate let identifier: String
    fileprivate let hash: Int

    /// Compares the bytes.
    package static func == (left: SectionIdentity, right: SectionIdentity) -> Bool {
        left.hash == right.hash && left.identifier.utf8.elementsEqual(right.identifier.utf8)
    }

    /// Feeds the hash, which was made with the section.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
