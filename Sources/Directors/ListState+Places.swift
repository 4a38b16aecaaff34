import ListDiff

/// An element and where it stands.
package struct PlacedElement: Sendable {
    /// The identifier of its section.
    package let section: String
    /// Its index path in the state that was asked.
    package let path: ElementPath
    /// The element.
    package let element: Element
}

extension ListState {
    /// A page of the elements of all sections in order, each with where it stands; those of rows are not among them until
    /// they are published.
    ///
    /// - Parameters:
    ///   - identifier: Only elements of this identifier; nil for any.
    ///   - model: Only elements of this model; nil for any.
    ///   - offset: How many to skip.
    ///   - limit: How many at most.
    /// - Returns: The page, and how many elements there are in all pages.
    /// - Complexity: O(*s* + *limit*) in the number of sections; with an identifier O(*s* log *e* + *d*) for *d* elements
    ///   of it; with a model alone O(*n*) in the number of elements.
    package func elements(
        identifier: String?, model: String?, offset: Int, limit: Int
    ) -> (page: [PlacedElement], total: Int) {
        if identifier == nil, model == nil {
            return (page(offset, limit), elementCount - content.measure.rowElements)
        }
        var page: [PlacedElement] = []
        var total = 0
        for (position, section) in sections.enumerated() {
            func take(_ element: Element, at index: Int) {
                guard model.map({ $0.utf8.elementsEqual(element.model.utf8) }) ?? true else { return }
                total += 1
                guard total > offset, page.count < limit else { return }
                let path = ElementPath(section: position, element: index)
                page.append(PlacedElement(section: section.identifier, path: path, element: element))
            }
            if let identifier {
                for index in section.list.positions(of: identifier) { take(section.list[index], at: index) }
            } else {
                for (index, element) in section.list.enumerated() { take(element, at: index) }
            }
        }
        return (page, total)
    }

    private func page(_ offset: Int, _ limit: Int) -> [PlacedElement] {
        var page: [PlacedElement] = []
        var skipped = 0
        for (position, section) in sections.enumerated() where page.count < limit {
            let start = max(0, offset - skipped)
            skipped += section.list.count
            guard start < section.list.count else { continue }
            let range = start..<min(section.list.count, start + limit - page.count)
            for (index, element) in zip(range, section.list[range]) {
                let path = ElementPath(section: position, element: index)
                page.append(PlacedElement(section: section.identifier, path: path, element: element))
            }
        }
        return page
    }

    /// An address of a section that no other section shares: its identifier, or its position where it has a namesake.
    package func address(ofSection position: Int) -> Address {
        let identifier = content[position].identifier
        return content.positions(of: identifier, limit: 2).count == 1 ? .identifier(identifier) : .position(position)
    }

    /// An address of an element that no other of its section or row shares: its identifier, or its position.
    package func address(ofElementAt place: ElementPlace) -> Address {
        let list = elements(at: place.list)
        let identifier = list[place.position].identifier
        let isUnique = !identifier.isEmpty && list.positions(of: identifier, limit: 2).count == 1
        return isUnique ? .identifier(identifier) : .position(place.position)
    }

    /// Where an insert at an address puts the first of what it inserts: the end where none is said.
    ///
    /// - Throws: That there is no such section, row or place.
    package func insertion(
        at address: Address?, in section: Address, row: Address?
    ) throws(DirectorError) -> Int {
        try elements(at: try elementList(section: section, row: row))
            .insertion(address, of: .element, pointer: "/at")
    }

    /// Where an insert of rows at an address puts the first of them.
    ///
    /// - Throws: That there is no such section or place, or that the section has elements.
    package func insertion(ofRowsAt address: Address?, in section: Address) throws(DirectorError) -> Int {
        try rows(inSectionAt: try self.section(at: section).position).insertion(address, of: .row, pointer: "/at")
    }

    /// Where an insert of sections at an address puts the first of them.
    ///
    /// - Throws: That there is no such place.
    package func insertion(ofSectionsAt address: Address?) throws(DirectorError) -> Int {
        try content.insertion(address, of: .section, pointer: "/at")
    }
}
