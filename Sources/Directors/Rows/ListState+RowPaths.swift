import ListDiff

extension ListState {
    /// Whether a section has an identifier.
    package func knows(section identifier: String) -> Bool {
        !content.positions(of: identifier, limit: 1).isEmpty
    }

    /// Whether a section of an identifier has a row, in the working state.
    package func hasRow(_ row: String, in section: String) -> Bool {
        content.positions(of: section).contains { position in
            content[position].rows.map { !$0.positions(of: row, limit: 1).isEmpty } ?? false
        }
    }

    /// The index paths of the elements that a row of a published section shows (`indexPathsForRowConfiguration`).
    ///
    /// - Parameters:
    ///   - row: The row's identifier.
    ///   - section: The section's; of several with that identifier, the rows of all.
    /// - Complexity: O(*e*) in the number of the section's elements.
    package func indexPaths(ofRow row: String, in section: String) -> [ElementPath] {
        content.positions(of: section).flatMap { position in
            sections[position].list.enumerated().lazy
                .filter { $0.element.adapter.row?.row.utf8.elementsEqual(row.utf8) ?? false }
                .map { ElementPath(section: position, element: $0.offset) }
        }
    }

    /// About how long it takes to look at a section's elements, in bytes of an answer.
    package func work(ofSection identifier: String) -> Int {
        content.positions(of: identifier).reduce(0) { $0 + 16 * sections[$1].list.count }
    }
}
