import ListDiff

/// A list of elements in a working state: that of a section, or of a model row.
package struct ElementListPlace: Hashable, Sendable {
    /// The section's position.
    package let section: Int
    /// The row's position in a section of rows; nil for a section of elements.
    package let row: Int?
}

/// The place of an element in a working state.
package struct ElementPlace: Hashable, Sendable {
    /// The list that it is in.
    package let list: ElementListPlace
    /// Its position in that list.
    package let position: Int

    /// Names a place.
    package init(list: ElementListPlace, position: Int) {
        self.list = list
        self.position = position
    }

    /// The section's position and that in its list.
    package var path: ElementPath {
        ElementPath(section: list.section, element: position)
    }
}

extension ListState {
    /// Finds the list of a section's elements, or of a row's; a published section of rows has elements.
    ///
    /// - Complexity: O(log *s* + log *r*) in the numbers of sections and of the section's rows.
    /// - Throws: That there is no such section or row, or that the elements are elsewhere.
    package func elementList(of owner: ElementOwner) throws(DirectorError) -> ElementListPlace {
        let section = try content.position(owner.section, of: .section, pointer: "/section")
        guard let row = owner.row else {
            if let rows = sections[section].rows {
                throw DirectorError(.elementsElsewhere(ListState.placement(in: rows)), pointer: "/section")
            }
            return ElementListPlace(section: section, row: nil)
        }
        let place = try self.row(at: row, inSectionAt: section)
        guard place.row.settings.kind == .model else {
            throw DirectorError(.elementsElsewhere(.constantRow(place.row.identifier)), pointer: "/row")
        }
        return ElementListPlace(section: section, row: place.position)
    }

    /// The elements of a list, as the state shows them.
    ///
    /// - Complexity: O(log *s* + log *r*).
    package func elements(at place: ElementListPlace) -> PersistentList<Element> {
        let section = sections[place.section]
        guard let row = place.row else { return section.list }
        return section.rows?[row].elements ?? []
    }

    /// Finds an element of a section or row to read.
    ///
    /// - Complexity: O(log *s* + log *r* + log *e*).
    /// - Throws: That there is none, or that the identifier stands for several.
    package func element(
        at address: Address, of owner: ElementOwner
    ) throws(DirectorError) -> (place: ElementPlace, element: Element) {
        let list = try elementList(of: owner)
        let elements = elements(at: list)
        let position = try elements.position(address, of: .element, pointer: "/element")
        return (ElementPlace(list: list, position: position), elements[position])
    }

    /// The element at a place.
    func element(at place: ElementPlace) -> Element {
        elements(at: place.list)[place.position]
    }

    /// Changes the elements of a list.
    mutating func changeElements(
        at place: ElementListPlace, _ change: (inout PersistentList<Element>) -> Void
    ) {
        changeSection(at: place.section) { section in
            guard let row = place.row else { return change(&section.list) }
            section.changeRows { $0.update(at: row) { change(&$0.elements) } }
        }
    }

    private static func placement(in rows: PersistentList<Row>) -> DirectorError.RowPlacement {
        var (first, total): ([String], Int) = ([], 0)
        for row in rows where row.settings.kind == .model {
            total += 1
            if first.count < Fault.limit { first.append(row.identifier.quoted) }
        }
        return .inRows(first, total: total)
    }
}
