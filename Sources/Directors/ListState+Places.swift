import JSONValues
import ListDiff

/// An element and where it stands.
package struct PlacedElement: Sendable {
    /// The place of an element in this state.
    package enum Place: Sendable, Hashable {
        /// At an index path.
        case path(ElementPath)
        /// At a position in a row of this identifier; it has an index path only where it is published.
        case row(String, position: Int)
    }

    /// The identifier of its section.
    package let section: String
    /// Where it stands.
    package let place: Place
    /// The element.
    package let element: Element

    /// Appends the element with where it is, as it is read by itself.
    package func encode(to writer: inout JSONWriter) {
        switch place {
        case .path(let path): element.encode(in: section, at: path, to: &writer)
        case .row(let row, let position): element.encode(in: section, row: row, at: position, to: &writer)
        }
    }
}

/// A page of elements that is being gathered from one list after the other.
private struct ElementPage {
    let offset: Int
    let limit: Int
    private(set) var elements: [PlacedElement] = []
    /// How many elements there are in all pages.
    private(set) var total = 0

    init(offset: Int, limit: Int) {
        (self.offset, self.limit) = (offset, limit)
    }

    var isFull: Bool { elements.count >= limit }

    /// Takes the elements of a list that belong to the page.
    mutating func append(_ list: PersistentList<Element>, section: String, _ place: (Int) -> PlacedElement.Place) {
        let start = max(0, offset - total)
        total += list.count
        guard start < list.count, !isFull else { return }
        let range = start..<min(list.count, start + limit - elements.count)
        for (index, element) in zip(range, list[range]) {
            elements.append(PlacedElement(section: section, place: place(index), element: element))
        }
    }

    /// Takes one element that was looked for.
    mutating func append(_ element: Element, section: String, _ place: PlacedElement.Place) {
        total += 1
        if total > offset, !isFull { elements.append(PlacedElement(section: section, place: place, element: element)) }
    }
}

extension ListState {
    /// A page of the elements of all sections in order, those of model rows among them, each with where it stands. A
    /// constant row is an element only where it is published.
    ///
    /// - Parameters:
    ///   - identifier: Only elements of this identifier; nil for any.
    ///   - model: Only elements of this model; nil for any.
    ///   - offset: How many to skip.
    ///   - limit: How many at most.
    /// - Returns: The page, and how many elements there are in all pages.
    /// - Complexity: O(*s* + *r* + *limit*) in the numbers of sections and rows; with an identifier
    ///   O((*s* + *r*) log *e* + *d*) for *d* elements of it; with a model alone O(*n*) in the number of elements.
    package func elements(
        identifier: String?, model: String?, offset: Int, limit: Int
    ) -> (page: [PlacedElement], total: Int) {
        var page = ElementPage(offset: offset, limit: limit)
        let hasRows = content.measure.rowSections > 0
        forEachList { section, list, place in
            if let identifier {
                for index in list.positions(of: identifier) where list[index].isOf(model) {
                    page.append(list[index], section: section, place(index))
                }
            } else if model != nil {
                for (index, element) in list.enumerated() where element.isOf(model) {
                    page.append(element, section: section, place(index))
                }
            } else {
                page.append(list, section: section, place)
                // Without rows, how many elements follow is known.
                return hasRows || !page.isFull
            }
            return true
        }
        let isCounted = identifier == nil && model == nil && !hasRows
        return (page.elements, isCounted ? elementCount : page.total)
    }

    /// Hands each list of elements, that of a section or of a model row, to a closure, until it returns false: with the
    /// section's identifier, and the place of an element in the list.
    private func forEachList(
        _ body: (_ section: String, PersistentList<Element>, _ place: (Int) -> PlacedElement.Place) -> Bool
    ) {
        for (position, section) in sections.enumerated() {
            guard let rows = section.rows else {
                let goesOn = body(section.identifier, section.list) {
                    .path(ElementPath(section: position, element: $0))
                }
                if goesOn { continue } else { return }
            }
            for row in rows where row.settings.kind == .model {
                let goesOn = body(section.identifier, row.elements) { .row(row.identifier, position: $0) }
                if !goesOn { return }
            }
        }
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

    /// The position of the first item that is inserted at an address: the end without one.
    ///
    /// - Complexity: O(log *n*).
    /// - Throws: There is no such list or place.
    package func insertion(at address: Address?, in list: EditedList) throws(DirectorError) -> Int {
        switch list {
        case .sections:
            try content.insertion(address, of: .section, pointer: "/at")
        case .rows(let section):
            try rows(inSectionAt: try self.section(at: section).position)
                .insertion(address, of: .row, pointer: "/at")
        case .elements(let owner):
            try elements(at: try elementList(of: owner)).insertion(address, of: .element, pointer: "/at")
        }
    }
}

extension Element {
    /// Whether the element is of a model; any is where none is named.
    fileprivate func isOf(_ model: String?) -> Bool {
        model.map { $0.utf8.elementsEqual(self.model.utf8) } ?? true
    }
}
