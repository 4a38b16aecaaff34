import ListDiff

/// A section as an operation brings it in: its draft is checked and its elements are made, and it is not in a list yet.
struct CheckedSection {
    let identifier: String
    let attributes: SectionAttributes
    let elements: [Element]
    /// The elements as a list, where somebody has made one of them already.
    var list: PersistentList<Element>?
    /// The rows; nil for a section of elements.
    let rows: [Row]?

    /// How many elements the section brings in, and rows.
    var counts: (elements: Int, rows: Int) {
        guard let rows else { return (elements.count, 0) }
        return (rows.reduce(0) { $0 + $1.measure.elements }, rows.count)
    }
}

extension Section {
    /// Makes the section.
    ///
    /// - Parameters:
    ///   - section: What it is to be.
    ///   - old: A section that is there, from which is taken over what has not changed: attributes, elements, and the
    ///     parts of the list of elements that stay as they are.
    /// - Complexity: O(*n*) hashes and comparisons in the number of elements.
    init(_ section: CheckedSection, adopting old: Section? = nil) {
        guard let old else {
            self.init(
                identifier: section.identifier, attributes: section.attributes,
                list: section.list ?? PersistentList(section.elements),
                rows: section.rows.map { PersistentList($0) })
            return
        }
        self.init(
            identifier: section.identifier,
            attributes: old.attributes == section.attributes ? old.attributes : section.attributes,
            list: old.list.adopting(section.elements),
            rows: section.rows.map { (old.rows ?? []).adopting($0) })
    }

    /// Tells whether the section can stand for another one in every respect: it has the same identifier and shares
    /// attributes and elements with it.
    func isInterchangeable(with other: Section) -> Bool {
        differenceIdentifier == other.differenceIdentifier && attributes === other.attributes
            && isUnchanged(since: other)
    }

    /// Whether elements and rows are those of another state of the section.
    func isUnchanged(since other: Section) -> Bool {
        guard list.isIdentical(to: other.list) else { return false }
        return switch (rows, other.rows) {
        case (nil, nil): true
        case (let rows?, let others?): rows.isIdentical(to: others)
        default: false
        }
    }
}

extension PersistentList<Row> {
    /// A list of rows that came in whole, with what has not changed taken over from this list.
    ///
    /// - Complexity: O(*n*) in the numbers of rows and of their elements.
    func adopting(_ rows: [Row]) -> PersistentList<Row> {
        let adopted = rows.map { row in
            guard let position = positions(of: row.identifier, limit: 1).first else { return row }
            return row.adopting(self[position])
        }
        return adopting(adopted) { $1.isUnchanged(since: $0) }
    }
}

extension Row {
    /// The row with what has not changed taken over from an earlier state.
    func adopting(_ old: Row) -> Row {
        let isSame = elements.isIdentical(to: old.elements)
        return Row(
            old.settings == settings ? old.settings : settings,
            elements: isSame ? elements : old.elements.adopting(Array(elements)))
    }
}
