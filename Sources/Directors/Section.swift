import ListDiff

/// A section of a list: an identifier, what it says of itself, and its elements in order.
///
/// A copy costs nothing: it shares everything with its original until one of them changes, and then all but what
/// changed.
package struct Section: Sendable {
    /// What tells the section from the others of its list.
    package private(set) var identifier: String

    /// What the section says of itself.
    package private(set) var attributes: SectionAttributes

    /// A hash of the identifier.
    package private(set) var identityHash: Int

    /// All elements in order, also those of a collapsed section; what subscribers show is `content`.
    package internal(set) var list: PersistentList<Element>

    /// Whether subscribers see none of the elements: so in the working state where the section is collapsed. What a
    /// changeset carries, and what is made of one, shows what it has; halfway through the stages that may be something
    /// even where `isCollapsed` is true, or nothing yet where it is false.
    private var hidesElements: Bool

    init(identifier: String, attributes: SectionAttributes, list: PersistentList<Element>) {
        self.identifier = identifier
        self.attributes = attributes
        self.list = list
        identityHash = identifier.hashValue
        hidesElements = attributes.isCollapsed
    }

    /// The number of all elements.
    package var count: Int {
        list.count
    }

    /// The section as subscribers show it: a collapsed one stays, with its header and without its elements.
    ///
    /// - Complexity: O(1).
    var projected: Section {
        hidesElements ? Section(copying: self, content: []) : self
    }

    /// The section with another identifier and other attributes, and the same elements.
    func with(identifier: String, attributes: SectionAttributes) -> Section {
        Section(identifier: identifier, attributes: attributes, list: list)
    }
}

extension Section: PersistentSection {
    /// What a section holds.
    package typealias Element = Directors.Element

    /// The identifier, scalar by scalar.
    package var differenceIdentifier: SectionIdentity {
        SectionIdentity(identifier: identifier, hash: identityHash)
    }

    /// The elements that subscribers show: none of a collapsed section's.
    package var content: PersistentList<Element> {
        hidesElements ? [] : list
    }

    /// Makes a section of one's identifier and attributes and of other elements, which it shows.
    package init(copying section: Section, content: PersistentList<Element>) {
        self = section
        list = content
        hidesElements = false
    }

    /// Compares what the sections say of themselves, not their elements.
    package func isContentEqual(to source: Section) -> Bool {
        attributes == source.attributes
    }

    /// The elements that the section holds and shows, and the memory that they take.
    ///
    /// - Complexity: O(1).
    package var measure: SectionMeasure {
        SectionMeasure(
            elements: list.count, visible: hidesElements ? 0 : list.count,
            bytes: list.measure.bytes + MemoryEstimate.string(identifier) + attributes.bytes)
    }
}

extension Section: SizedListItem {
    /// The memory that the section takes with its elements, estimated.
    package var bytes: Int {
        measure.bytes + list.nodeBytes
    }

    /// The memory of the section that a later state of it does not share.
    ///
    /// - Complexity: As long as it takes to find what the two do not share.
    package func bytesNotShared(with newer: Section) -> Int {
        let own = attributes === newer.attributes ? 0 : attributes.bytes
        return own + list.bytesNotShared(with: newer.list)
    }
}

extension Section: Equatable {
    /// Compares identifiers, attributes and elements.
    package static func == (left: Section, right: Section) -> Bool {
        left.differenceIdentifier == right.differenceIdentifier && left.attributes == right.attributes
            && left.list == right.list
    }
}

/// What tells one section from another: its identifier, scalar by scalar.
package struct SectionIdentity: Hashable, Sendable {
    fileprivate let identifier: String
    fileprivate let hash: Int

    fileprivate init(identifier: String, hash: Int) {
        self.identifier = identifier
        self.hash = hash
    }

    /// The identity of a section that is still to be made.
    init(_ identifier: String) {
        self.init(identifier: identifier, hash: identifier.hashValue)
    }

    /// Compares the bytes.
    package static func == (left: SectionIdentity, right: SectionIdentity) -> Bool {
        left.hash == right.hash && left.identifier.utf8.elementsEqual(right.identifier.utf8)
    }

    /// Feeds the hash, which was made with the section.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
