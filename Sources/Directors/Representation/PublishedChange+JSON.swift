import JSONValues
import ListDiff

extension PublishedChange {
    /// The members of a change, and of one without its elements.
    package static let members = members([
        MemberDescription("stages", .array(.reference("Stage"), maxItems: 5)),
        MemberDescription(
            "replaced", .array(.reference("ElementAt"), minItems: 1), presence: .sometimes,
            "Elements that show what they showed and have new values: put into the data after the stages."),
    ])
    package static let countedMembers = members([MemberDescription("changes", .reference("ChangeCounts"))])

    private static func members(_ changes: [MemberDescription]) -> [MemberDescription] {
        [
            MemberDescription("director", .string()), MemberDescription("epoch", .string()),
            MemberDescription("from", .integer()), MemberDescription("version", .integer()),
            MemberDescription("animations", .reference("Animations"), presence: .sometimes),
            MemberDescription("causes", .reference("Causes"), presence: .sometimes),
        ] + changes + [
            MemberDescription("counts", ListCounts.schema),
            MemberDescription(
                "totals", .any, presence: .sometimes, "The totals of a view, by name, where they have changed."),
        ]
    }

    /// About how many bytes `encode(to:)` appends, rather too many than too few where much comes in.
    ///
    /// - Complexity: O(*k*) in the number of operations.
    package var textEstimate: Int {
        changeset.stages.reduce(256 + causes.textEstimate) { size, stage in
            // What an element takes in memory is more than its text beside its identifier and model.
            stage.elementInserted.reduce(size) { $0 + 64 + $1.element.bytes }
                + stage.elementUpdated.reduce(0) { $0 + 64 + $1.element.bytes }
                + stage.sectionInserted.reduce(0) { $0 + 256 + $1.section.list.measure.bytes }
                + 32 * (stage.elementDeleted.count + stage.elementMoved.count)
        }
    }

    /// The fewest bytes that `encode(to:)` appends: the values of the elements that come in.
    ///
    /// - Complexity: O(*k*) in the number of the elements.
    package var textMinimum: Int {
        changeset.stages.reduce(0) { size, stage in
            stage.elementInserted.reduce(size) { $0 + $1.element.value.bytes.count }
                + stage.elementUpdated.reduce(0) { $0 + $1.element.value.bytes.count }
                + stage.sectionInserted.reduce(0) { $1.section.list.reduce($0) { $0 + $1.value.bytes.count } }
        }
    }

    /// Appends the change as the wire has it: its stages in order, then what is replaced; empty stages and members are
    /// left out.
    ///
    /// - Complexity: O(*k*) in the number of operations, and in the text of the elements that they carry; a
    ///   ``ChangeEncoder`` writes the same in pieces.
    package func encode(to writer: inout JSONWriter) {
        var encoder = ChangeEncoder(self)
        _ = encoder.write(to: &writer, upTo: .max)
    }

    /// Appends how many operations of each kind there are in place of the stages, as `changes`, for a client that has no
    /// use for the elements.
    ///
    /// - Complexity: O(1) in the number of operations.
    package func encodeCounted(to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            writer.key("changes")
            writer.beginObject()
            for operation in ChangesetOperation.allCases {
                writer.number(changeset.count(of: operation), of: operation.rawValue)
            }
            writer.number(changeset.replaced.count, of: "replaced")
            writer.endObject()
        }
    }

    private func encode(to writer: inout JSONWriter, _ changes: (inout JSONWriter) -> Void) {
        encodeStart(to: &writer)
        changes(&writer)
        encodeEnd(to: &writer)
    }

    /// Appends the members before the stages; the object stays open.
    func encodeStart(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("director")
        writer.string(director)
        writer.key("epoch")
        writer.string(epoch)
        writer.key("from")
        writer.int(from)
        writer.key("version")
        writer.int(version)
        if let animations {
            writer.key("animations")
            animations.encode(to: &writer)
        }
        if !causes.isEmpty {
            writer.key("causes")
            writer.array { for name in causes.names { $0.string(name) } }
        }
    }

    /// Appends the members behind the stages, and the object's end.
    func encodeEnd(to writer: inout JSONWriter) {
        writer.key("counts")
        counts.write(to: &writer)
        if let totals {
            writer.key("totals")
            writer.value(totals)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes how many operations there are of a kind, if there are any.
    fileprivate mutating func number(_ count: Int, of name: String) {
        guard count > 0 else { return }
        key(name)
        int(count)
    }

    mutating func change(_ change: ElementChange<Element>) {
        beginObject()
        key("at")
        path(change.at)
        key("element")
        change.element.encode(to: &self)
        endObject()
    }

    mutating func move(_ from: (inout JSONWriter) -> Void, to: (inout JSONWriter) -> Void) {
        beginObject()
        key("from")
        from(&self)
        key("to")
        to(&self)
        endObject()
    }

    /// Appends an index path as `[section, element]`.
    package mutating func path(_ path: ElementPath) {
        beginArray()
        int(path.section)
        int(path.element)
        endArray()
    }
}
