import JSONValues
import ListDiff

extension Section {
    /// Appends the section; of what it does not say, nothing is written.
    ///
    /// - Complexity: O(*e*) in the number of elements that are written.
    package func encode(to writer: inout JSONWriter, includingElements: Bool) {
        guard includingElements else { return encode(to: &writer) { _ in } }
        var encoder = SectionEncoder(self)
        _ = encoder.write(to: &writer, upTo: .max)
    }

    /// Appends the section as a snapshot has it: without its elements, and with an empty list of rows where it has rows.
    package func encodeStored(to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            guard rows != nil else { return }
            writer.key("rows")
            writer.array { _ in }
        }
    }

    /// Appends the section as a published state without elements has it: with the number of its elements in their place, as
    /// `count`.
    func encodePublishedCount(to writer: inout JSONWriter) {
        encode(to: &writer) { $0.member("count", count) }
    }

    /// Appends the section with the number of its elements in their place, as `count`; a section of rows with these, and
    /// the numbers of theirs.
    package func encodeCounted(to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            if let rows {
                writer.key("rows")
                writer.array { writer in for row in rows { row.encodeCounted(to: &writer) } }
            } else {
                writer.key("count")
                writer.int(count)
            }
        }
    }

    private func encode(to writer: inout JSONWriter, _ elements: (inout JSONWriter) -> Void) {
        encodeStart(to: &writer)
        elements(&writer)
        writer.endObject()
    }

    /// Appends the members before the elements; the object stays open.
    fileprivate func encodeStart(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(identifier)
        SectionAttributes.fields.encodeMembers(of: attributes.values, to: &writer)
    }
}

/// Writes a section with its elements or rows in pieces. A value: a copy goes on from the same place.
struct SectionEncoder: Sendable {
    private var section: Section?
    private var elements: PersistentList<Element>.Iterator
    private var rows: PersistentList<Row>.Iterator?
    private var row: RowEncoder?

    /// Begins with the section's first byte.
    init(_ section: Section) {
        self.section = section
        elements = section.list.makeIterator()
        rows = section.rows?.makeIterator()
    }

    /// Goes on until the writer holds so many bytes, or an element more; returns whether the section is complete.
    ///
    /// - Complexity: O(*k*) in the bytes that are written.
    mutating func write(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        if let section = section.take() {
            section.encodeStart(to: &writer)
            writer.key(rows == nil ? "elements" : "rows")
            writer.beginArray()
        }
        guard rows == nil else { return writeRows(to: &writer, upTo: limit) }
        while writer.bytes.count < limit {
            guard let element = elements.next() else {
                writer.endArray()
                writer.endObject()
                return true
            }
            element.encode(to: &writer)
        }
        return false
    }

    private mutating func writeRows(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        while writer.bytes.count < limit {
            if row == nil { row = rows?.next().map { RowEncoder($0) } }
            guard let isComplete = row?.write(to: &writer, upTo: limit) else {
                writer.endArray()
                writer.endObject()
                return true
            }
            if isComplete { row = nil }
        }
        return false
    }
}

extension Section {
    /// The members of a section.
    package static let members =
        [identifierMember] + SectionAttributes.fields.members + [
            elementsMember, rowsMember,
            MemberDescription(
                "count", .integer(minimum: 0), use: .refused, presence: .sometimes,
                "How many elements there are, where they are left out."),
        ]

    static let identifierMember = MemberDescription(
        "id", .string(), body: .nullable(SectionDraft.identifierSchema),
        "The section's identifier, unique in its list; a random UUID for a new section without one.")

    static let elementsMember = MemberDescription(
        "elements", .array(.reference("Element")), body: .nullable(.array(.reference("ElementInput"))),
        presence: .sometimes, "The elements in order.")

    static let rowsMember = MemberDescription(
        "rows", .array(.reference("Row")), body: .nullable(.array(.reference("RowInput"))), presence: .sometimes,
        "The rows in order, in place of elements; a published section has elements in any case.")
}
