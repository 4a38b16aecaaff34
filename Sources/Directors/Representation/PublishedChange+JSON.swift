import JSONValues
import ListDiff

extension PublishedChange {
    /// Appends the change as the wire has it: its stages in order, then what is replaced; empty stages and members are
    /// left out.
    ///
    /// - Complexity: O(*k*) in the number of operations, and in the text of the elements that they carry.
    package func encode(to writer: inout JSONWriter) {
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
        writer.key("counts")
        counts.encode(to: &writer)
        writer.endObject()
    }
}

extension JSONWriter {
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
