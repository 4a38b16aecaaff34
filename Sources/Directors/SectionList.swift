import ListDiff

/// The sections of a state as it shows them.
///
/// A view: making one costs nothing, a position O(log *s*) in the number of sections, and walking all of them O(*s*).
package struct SectionList: RandomAccessCollection, Sendable {
    private let content: PersistentList<Section>
    private let isProjection: Bool

    init(_ content: PersistentList<Section>, isProjection: Bool) {
        self.content = content
        self.isProjection = isProjection
    }

    /// Zero.
    package var startIndex: Int { 0 }

    /// The number of sections.
    package var endIndex: Int { content.count }

    /// The section at a position; collapsed ones without their elements where subscribers are to see it.
    package subscript(position: Int) -> Section {
        isProjection ? content[position].projected : content[position]
    }

    /// Walks the sections in order.
    package func makeIterator() -> Iterator {
        Iterator(sections: content.makeIterator(), isProjection: isProjection)
    }

    /// The sections, one after the other.
    package struct Iterator: IteratorProtocol {
        fileprivate var sections: PersistentList<Section>.Iterator
        fileprivate let isProjection: Bool

        /// The next section; nil behind the last.
        package mutating func next() -> Section? {
            isProjection ? sections.next()?.projected : sections.next()
        }
    }
}
