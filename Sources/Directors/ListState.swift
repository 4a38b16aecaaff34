import ListDiff

/// The sections of a list with their elements, at one moment.
///
/// A copy costs nothing and shares everything with its original until one of them changes, and then all but what
/// changed. Identifiers of sections are unique; those of elements need not be.
package struct ListState: Sendable {
    private(set) var content: KeyedList<Section>

    /// The number of elements in all sections.
    package private(set) var elementCount: Int

    /// An empty list.
    package init() {
        self.init(sections: [])
    }

    init(sections: [Section]) {
        content = KeyedList(sections)
        elementCount = sections.reduce(0) { $0 + $1.count }
    }

    /// The sections in order.
    package var sections: [Section] {
        content.items
    }

    /// The numbers of sections and elements.
    package var counts: ListCounts {
        ListCounts(sections: content.count, elements: elementCount)
    }

    /// Finds a section to read.
    ///
    /// - Complexity: O(*s*) in the number of sections for an identifier, else O(1).
    /// - Throws: That there is no such section.
    package func section(at address: Address) throws(DirectorError) -> (position: Int, section: Section) {
        let position = try content.position(address, of: .section, pointer: "/section")
        return (position, content.items[position])
    }

    /// Finds an element to read.
    ///
    /// - Complexity: O(*s*) in the number of sections and O(*e*) in that of the section's elements for identifiers,
    ///   four bytes of each, else O(1).
    /// - Throws: That there is no such section or element, or that the identifier stands for several.
    package func element(
        at address: Address, in section: Address
    ) throws(DirectorError) -> (path: ElementPath, element: Element) {
        let place = try self.section(at: section)
        let position = try place.section.content.position(address, of: .element, pointer: "/element")
        return (ElementPath(section: place.position, element: position), place.section.elements[position])
    }

    /// The list as subscribers show it: collapsed sections without their elements.
    var projected: ListState {
        guard content.items.contains(where: { $0.attributes.isCollapsed && $0.count > 0 }) else { return self }
        return ListState(sections: content.items.map(\.projected))
    }

    /// Changes the list of sections itself.
    mutating func changeSections(_ change: (inout KeyedList<Section>) -> Void) {
        change(&content)
        elementCount = content.items.reduce(0) { $0 + $1.count }
    }

    /// Changes one section where it stands.
    mutating func changeSection(at position: Int, _ change: (inout Section) -> Void) {
        let before = content.items[position].count
        content.update(at: position, change)
        elementCount += content.items[position].count - before
    }
}

extension ListState: Equatable {
    /// Compares section by section and element by element.
    package static func == (left: ListState, right: ListState) -> Bool {
        left.sections == right.sections
    }
}

/// How many sections and elements a list has.
package struct ListCounts: Hashable, Sendable {
    /// The number of sections.
    package var sections: Int
    /// The number of elements in all of them.
    package var elements: Int

    /// Makes counts.
    package init(sections: Int, elements: Int) {
        self.sections = sections
        self.elements = elements
    }
}
