import ListDiff

/// A section as an operation brings it in: its draft is checked and its elements are made, and it is not in a list yet.
struct CheckedSection {
    let identifier: String
    let attributes: SectionAttributes
    let elements: [Element]
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
                identifier: section.identifier, attributes: section.attributes, list: PersistentList(section.elements))
            return
        }
        self.init(
            identifier: section.identifier,
            attributes: old.attributes == section.attributes ? old.attributes : section.attributes,
            list: old.list.adopting(section.elements))
    }

    /// Tells whether the section can stand for another one in every respect: it has the same identifier and shares
    /// attributes and elements with it.
    func isInterchangeable(with other: Section) -> Bool {
        differenceIdentifier == other.differenceIdentifier && attributes === other.attributes
            && list.isIdentical(to: other.list)
    }
}
