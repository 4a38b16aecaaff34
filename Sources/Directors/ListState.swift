import ListDiff

/// The sections of a list with their elements, at one moment.
///
/// A copy costs nothing and shares everything with its original until one of them changes, and then all but what
/// changed. Neither the identifiers of sections nor those of elements need be unique.
///
/// A state is either whole, as operations change it, or a projection: the same sections as subscribers show them,
/// without the elements that collapsed sections hide. Both have the same memory; only what is asked of them is answered
/// otherwise.
package struct ListState: Sendable {
    /// The sections with all their elements, whatever the state shows of them.
    package private(set) var content: PersistentList<Section>

    /// Whether the state shows only what subscribers show.
    private(set) var isProjection = false

    /// An empty list.
    package init() {
        self.init(content: [])
    }

    /// Makes a whole state of sections.
    package init(content: PersistentList<Section>) {
        self.content = content
    }

    /// The sections in order, as the state shows them.
    package var sections: SectionList {
        SectionList(content, isProjection: isProjection)
    }

    /// The number of elements that the state shows.
    ///
    /// - Complexity: O(1).
    package var elementCount: Int {
        isProjection ? content.measure.visible : content.measure.elements
    }

    /// The numbers of sections and elements.
    ///
    /// - Complexity: O(1).
    package var counts: ListCounts {
        ListCounts(sections: content.count, elements: elementCount)
    }

    /// The memory that the sections and elements take, estimated; what collapsed sections hide is counted.
    ///
    /// - Complexity: O(1).
    package var memory: Int { content.measure.bytes }

    /// Finds a section to read.
    ///
    /// - Complexity: O(log *s*) in the number of sections.
    /// - Throws: That there is no such section.
    package func section(at address: Address) throws(DirectorError) -> (position: Int, section: Section) {
        let position = try content.position(address, of: .section, pointer: "/section")
        return (position, sections[position])
    }

    /// The list as subscribers show it: collapsed sections without their elements.
    ///
    /// - Complexity: O(1): nothing is taken out, it is only not shown.
    var projected: ListState {
        var state = self
        state.isProjection = true
        return state
    }

    /// Whether two states are one and the same: copies of which neither has been changed.
    ///
    /// - Complexity: O(1).
    func isIdentical(to other: ListState) -> Bool {
        isProjection == other.isProjection && content.isIdentical(to: other.content)
    }

    /// The memory that this state holds and a later one does not share with it, estimated: what is free once the state
    /// is let go of, if nobody else holds it. The hidden elements of collapsed sections count; the state holds them
    /// too.
    ///
    /// - Parameter newer: A state that operations have made of this one.
    /// - Complexity: O(*k* log *n*) for *k* sections and elements that the states do not share, out of *n*.
    package func bytesNotShared(with newer: ListState) -> Int {
        content.bytesNotShared(with: newer.content)
    }

    /// Changes the list of sections itself.
    mutating func changeSections(_ change: (inout PersistentList<Section>) -> Void) {
        change(&content)
    }

    /// Changes one section where it stands.
    ///
    /// - Complexity: O(log *s*) in the number of sections, and what the change costs.
    mutating func changeSection(at position: Int, _ change: (inout Section) -> Void) {
        content.update(at: position, change)
    }
}

extension ListState: Equatable {
    /// Compares what is shown, section by section and element by element.
    ///
    /// - Complexity: O(1) for states that are one and the same, else O(*n*) in the number of sections and elements.
    package static func == (left: ListState, right: ListState) -> Bool {
        left.isIdentical(to: right) || left.sections.elementsEqual(right.sections)
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
