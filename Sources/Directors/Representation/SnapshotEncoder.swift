import JSONValues

/// Writes the data of a `snapshot` event in pieces, so that a list of any length costs each turn of a loop the same.
///
/// A value: a copy goes on from the same place. It holds the list that it writes, and nothing else of the director: the
/// definition, which is short, is encoded at the beginning.
package struct SnapshotEncoder: Sendable {
    private var start: [UInt8]
    private var sections: SectionList.Iterator
    private var section: SectionEncoder?
    private let includesElements: Bool
    private let reset: String?

    /// Begins with the first byte.
    ///
    /// - Parameters:
    ///   - director: What the definition is read from.
    ///   - state: The published state.
    ///   - includingElements: False for sections with the number of their elements in their place.
    ///   - reset: Why the client's copy is to be thrown away, written at the end; nil where it has none.
    /// - Complexity: O(*a*) in the number of adapters.
    package init(_ director: Director, _ state: PublishedState, includingElements: Bool, reset: String? = nil) {
        var writer = JSONWriter()
        writer.beginObject()
        director.encodeDefinitionMembers(version: state.version, to: &writer)
        writer.key("counts")
        state.list.counts.write(to: &writer)
        if let totals = director.derivedFacts?.totals, state.version == director.version {
            writer.key("totals")
            writer.value(totals)
        }
        writer.key("sections")
        writer.beginArray()
        start = writer.bytes
        sections = state.list.sections.makeIterator()
        includesElements = includingElements
        self.reset = reset
    }

    /// Goes on until the writer holds so many bytes, or a section's attributes or an element more; returns whether the
    /// snapshot is complete. Not to be called again then.
    ///
    /// - Complexity: O(*k*) in the bytes that are written.
    package mutating func write(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        if !start.isEmpty {
            writer.prefix(start)
            start = []
        }
        while writer.bytes.count < limit {
            if let isComplete = section?.write(to: &writer, upTo: limit) {
                if !isComplete { return false }
                section = nil
            } else if let next = sections.next() {
                if includesElements {
                    section = SectionEncoder(next)
                } else {
                    next.encodePublishedCount(to: &writer)
                }
            } else {
                writer.endArray()
                if let reset { writer.member("reset", reset) }
                writer.endObject()
                return true
            }
        }
        return false
    }
}

extension PublishedState {
    /// About how many bytes a snapshot has, rather too many than too few for a long list.
    ///
    /// - Complexity: O(1).
    package func snapshotEstimate(includingElements: Bool) -> Int {
        let sections = 256 * (list.sections.count + 1)
        return includingElements ? sections + 64 * list.elementCount + list.memory : sections
    }
}
