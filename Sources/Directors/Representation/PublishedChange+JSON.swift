import JSONValues
import ListDiff

extension PublishedChange {
    /// About how many bytes `encode(to:)` appends, rather too many than too few where much comes in.
    ///
    /// - Complexity: O(*k*) in the number of operations.
    package var textEstimate: Int {
        changeset.stages.reduce(256) { size, stage in
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
    /// - Complexity: O(*k*) in the number of operations, and in the text of the elements that they carry.
    package func encode(to writer: inout JSONWriter) {
        encode(to: &writer) { writer in
            writer.key("stages")
            writer.beginArray()
            for stage in changeset.stages where !stage.isEmpty { writer.stage(stage) }
            writer.endArray()
            if !changeset.replaced.isEmpty {
                writer.key("replaced")
                writer.beginArray()
                for change in changeset.replaced { writer.change(change) }
                writer.endArray()
            }
        }
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
        changes(&writer)
        writer.key("counts")
        counts.encode(to: &writer)
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

    fileprivate mutating func stage(_ stage: Changeset<Section>) {
        beginObject()
        list(.elementUpdated, stage.elementUpdated) { writer, change in writer.change(change) }
        list(.sectionDeleted, stage.sectionDeleted) { writer, position in writer.int(position) }
        list(.elementDeleted, stage.elementDeleted) { writer, path in writer.path(path) }
        list(.sectionInserted, stage.sectionInserted) { writer, change in
            writer.change(change, includingElements: true)
        }
        list(.sectionMoved, stage.sectionMoved) { writer, move in
            writer.move {
                $0.int(move.from)
            } to: {
                $0.int(move.to)
            }
        }
        list(.elementInserted, stage.elementInserted) { writer, change in writer.change(change) }
        list(.elementMoved, stage.elementMoved) { writer, move in
            writer.move {
                $0.path(move.from)
            } to: {
                $0.path(move.to)
            }
        }
        list(.sectionUpdated, stage.sectionUpdated) { writer, change in
            writer.change(change, includingElements: false)
        }
        endObject()
    }

    private mutating func list<Item>(
        _ operation: ChangesetOperation, _ items: [Item], _ encode: (inout JSONWriter, Item) -> Void
    ) {
        guard !items.isEmpty else { return }
        key(operation.rawValue)
        beginArray()
        for item in items { encode(&self, item) }
        endArray()
    }

    fileprivate mutating func change(_ change: ElementChange<Element>) {
        beginObject()
        key("at")
        path(change.at)
        key("element")
        change.element.encode(to: &self)
        endObject()
    }

    private mutating func change(_ change: SectionChange<Section>, includingElements: Bool) {
        beginObject()
        key("at")
        int(change.at)
        key("section")
        change.section.encode(to: &self, includingElements: includingElements)
        endObject()
    }

    private mutating func move(_ from: (inout JSONWriter) -> Void, to: (inout JSONWriter) -> Void) {
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
