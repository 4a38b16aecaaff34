import ListDiff

/// A row of a section's working state: its settings, and the elements of a model row.
///
/// A copy costs nothing: it shares everything with its original until one of them changes.
package struct Row: Sendable {
    /// The row's settings.
    package let settings: RowSettings

    /// A model row's elements in order; none of a constant row.
    package internal(set) var elements: PersistentList<Element>

    private let hash: Int

    init(_ settings: RowSettings, elements: PersistentList<Element> = []) {
        self.settings = settings
        self.elements = elements
        hash = settings.identifier.hashValue
    }

    /// The row's identity in its section.
    package var identifier: String {
        settings.identifier
    }

    /// Whether nothing has been done to the row since another state of it.
    func isUnchanged(since other: Row) -> Bool {
        settings === other.settings && elements.isIdentical(to: other.elements)
    }
}

extension Row: SizedListItem {
    /// The identifier, scalar by scalar.
    package var differenceIdentifier: RowIdentity {
        RowIdentity(identifier: identifier, hash: hash)
    }

    /// A hash of the identifier.
    package var identityHash: Int { hash }

    /// The cells that the row has at most, and the memory that it takes.
    package var measure: RowMeasure {
        RowMeasure(
            elements: settings.kind == .constant ? 1 : elements.count, bytes: settings.bytes + elements.measure.bytes)
    }

    /// Compares settings and elements.
    package func isContentEqual(to source: Row) -> Bool {
        self == source
    }

    /// The memory that the row takes with its elements, estimated.
    package var bytes: Int {
        measure.bytes + elements.nodeBytes
    }

    /// The memory of the row that a later state of it does not share.
    package func bytesNotShared(with newer: Row) -> Int {
        (settings === newer.settings ? 0 : settings.bytes) + elements.bytesNotShared(with: newer.elements)
    }
}

extension Row: Equatable {
    /// Compares settings and elements.
    package static func == (left: Row, right: Row) -> Bool {
        left.settings == right.settings && left.elements == right.elements
    }
}

extension Row: Addressable {}

/// The identity of a row in its section: its identifier, scalar by scalar.
package struct RowIdentity: Hashable, Sendable {
    fileprivate let identifier: String
    fileprivate let hash: Int

    /// The key of a row in a list of rows.
    var identityHash: Int { hash }

    /// Compares the bytes.
    package static func == (left: RowIdentity, right: RowIdentity) -> Bool {
        left.hash == right.hash && left.identifier.utf8.elementsEqual(right.identifier.utf8)
    }

    /// Feeds the hash, which was made with the row.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

/// The sums over a list of rows.
package struct RowMeasure: ListMeasure {
    /// The cells that the rows have where none is hidden: one of a constant row, one for each element of a model row.
    package var elements: Int
    /// The memory that the rows take with their elements, estimated.
    package var bytes: Int

    /// Measures given counts.
    init(elements: Int, bytes: Int) {
        self.elements = elements
        self.bytes = bytes
    }

    /// Measures nothing.
    package init() {
        self.init(elements: 0, bytes: 0)
    }

    /// Adds a measure.
    package static func += (left: inout RowMeasure, right: RowMeasure) {
        left.elements += right.elements
        left.bytes += right.bytes
    }

    /// Takes away a measure that was added.
    package static func -= (left: inout RowMeasure, right: RowMeasure) {
        left.elements -= right.elements
        left.bytes -= right.bytes
    }
}
