import ListDiff

/// A section of a list: an identifier, what it says of itself, and its elements in order.
///
/// A copy costs nothing: it shares everything with its original until one of them changes, and then all but what
/// changed.
///
/// It is small, four references and a flag: where the list of sections changes, its neighbours are copied.
///
/// A section of rows has these in place of elements, in the working state; where it is published, its elements are those
/// that the rows show.
package struct Section: Sendable {
    private let header: SectionHeader

    /// All elements in order, also those of a collapsed section; what subscribers show is `content`. None in the working
    /// state of a section of rows.
    package internal(set) var list: PersistentList<Element>

    /// The rows, in an array of one: a single reference. Empty for a section of elements.
    private var rowLists: [PersistentList<Row>] = []

    /// Whether subscribers see none of the elements: so in the working state where the section is collapsed. A section
    /// in a changeset shows the elements that it has. Between two stages a section may have elements although
    /// `isCollapsed` is true, or none yet although it is false.
    private let hidesElements: Bool

    /// Makes a section of its parts; without rows it is one of elements.
    package init(
        identifier: String, attributes: SectionAttributes, list: PersistentList<Element>,
        rows: PersistentList<Row>? = nil
    ) {
        header = SectionHeader(identifier: identifier, attributes: attributes)
        self.list = list
        if let rows { rowLists = [rows] }
        hidesElements = attributes.values.isCollapsed
    }

    /// The section as its rows show it, in place of what it was.
    ///
    /// - Parameters:
    ///   - section: A section of rows.
    ///   - list: The elements that the rows show.
    init(showing section: Section, list: PersistentList<Element>) {
        header = section.header
        self.list = list
        hidesElements = section.attributes.values.isCollapsed
    }

    /// The rows of the working state in order; nil for a section of elements.
    package var rows: PersistentList<Row>? {
        rowLists.first
    }

    /// Changes the rows of a section of rows.
    mutating func changeRows(_ change: (inout PersistentList<Row>) -> Void) {
        change(&rowLists[0])
    }

    /// The section's identity in its list.
    package var identifier: String {
        header.identifier
    }

    /// The section's attributes.
    package var attributes: SectionAttributes {
        header.attributes
    }

    /// The number of all elements; of a section of rows, of the cells that these have where none is hidden.
    package var count: Int {
        rows?.measure.elements ?? list.count
    }

    /// The section as subscribers show it: a collapsed one stays, with its header and without its elements.
    ///
    /// - Complexity: O(1).
    var projected: Section {
        hidesElements ? Section(copying: self, content: []) : self
    }

    /// The section with another identifier and other attributes, and the same elements.
    func with(identifier: String, attributes: SectionAttributes) -> Section {
        Section(identifier: identifier, attributes: attributes, list: list, rows: rows)
    }
}

extension Section: PersistentSection {
    /// What a section holds.
    package typealias Element = Directors.Element

    /// The identifier, scalar by scalar.
    package var differenceIdentifier: SectionIdentity {
        SectionIdentity(identifier: header.identifier, hash: header.identityHash)
    }

    /// A hash of the identifier.
    package var identityHash: Int {
        header.identityHash
    }

    /// The elements that subscribers show: none of a collapsed section's.
    package var content: PersistentList<Element> {
        hidesElements ? [] : list
    }

    /// All elements as an array, for who needs one; `list` is read without a copy.
    ///
    /// - Complexity: O(*n*) in the number of elements.
    package var elements: [Element] {
        Array(list)
    }

    /// Makes a section of one's identifier and attributes and of other elements, which it shows.
    package init(copying section: Section, content: PersistentList<Element>) {
        header = section.header
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
        let visible = hidesElements ? 0 : list.count
        guard let rows else {
            return SectionMeasure(
                elements: list.count, visible: visible, bytes: list.measure.bytes + header.bytes)
        }
        let own = rows.measure
        return SectionMeasure(
            elements: own.elements, visible: visible, bytes: own.bytes + header.bytes, rowSections: 1,
            rows: rows.count, rowElements: own.elements)
    }
}

extension Section: SizedListItem {
    /// 8: a section is four references, and each is counted where a neighbour changes.
    package static var leafSize: Int { 8 }

    /// The memory that the section takes with its elements, estimated.
    package var bytes: Int {
        measure.bytes + list.nodeBytes + (rows?.nodeBytes ?? 0)
    }

    /// The memory of the section that a later state of it does not share.
    ///
    /// - Complexity: As long as it takes to find what the two do not share.
    package func bytesNotShared(with newer: Section) -> Int {
        let own = header === newer.header ? 0 : header.bytes
        let rowBytes = rows.map { $0.bytesNotShared(with: newer.rows ?? []) } ?? 0
        return own + list.bytesNotShared(with: newer.list) + rowBytes
    }
}

extension Section: Equatable {
    /// Compares identifiers, attributes, elements and rows.
    package static func == (left: Section, right: Section) -> Bool {
        left.differenceIdentifier == right.differenceIdentifier && left.attributes == right.attributes
            && left.list == right.list && left.rows == right.rows
    }
}

/// A section without its elements: it does not change, and the states of a section share it.
private final class SectionHeader: Sendable {
    let identifier: String
    let identityHash: Int
    let attributes: SectionAttributes

    /// The memory that the header takes, estimated.
    let bytes: Int

    init(identifier: String, attributes: SectionAttributes) {
        self.identifier = identifier
        self.attributes = attributes
        identityHash = identifier.hashValue
        bytes =
            MemoryEstimate.block(MemoryEstimate.objectHeader + 16 + 3 * 8) + MemoryEstimate.string(identifier)
            + attributes.bytes
    }
}

/// The identity of a section: its identifier, scalar by scalar.
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

    /// The key of a section in a list of sections.
    var identityHash: Int { hash }

    /// Compares the bytes.
    package static func == (left: SectionIdentity, right: SectionIdentity) -> Bool {
        left.hash == right.hash && left.identifier.utf8.elementsEqual(right.identifier.utf8)
    }

    /// Feeds the hash, which was made with the section.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
