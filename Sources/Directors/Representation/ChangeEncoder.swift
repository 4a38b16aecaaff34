import JSONValues
import ListDiff

/// Writes a change in pieces, so that one of any length costs each turn of a loop the same.
///
/// A value: a copy goes on from the same place.
package struct ChangeEncoder: Sendable {
    private let change: PublishedChange
    private var hasBegun = false
    /// The stage that is written, its operation and the next item of that; behind the last stage, what is replaced.
    private var stage = 0
    private var operation = 0
    private var item = 0
    /// The section of the item, where it is being written.
    private var section: SectionEncoder?

    /// Begins with the first byte.
    package init(_ change: PublishedChange) {
        self.change = change
    }

    /// Goes on until the writer holds so many bytes, or an item more; returns whether the change is complete. Not to be
    /// called again then.
    ///
    /// - Complexity: O(*k*) in the bytes that are written.
    package mutating func write(to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        if !hasBegun {
            hasBegun = true
            change.encodeStart(to: &writer)
            writer.key("stages")
            writer.beginArray()
        }
        let stages = change.changeset.stages
        while stage < stages.count {
            guard write(stages[stage], to: &writer, upTo: limit) else { return false }
            stage += 1
        }
        if stage == stages.count {
            writer.endArray()
            stage += 1
        }
        let isComplete = list("replaced", change.changeset.replaced, to: &writer, upTo: limit) { $0.change($1) }
        guard isComplete else { return false }
        change.encodeEnd(to: &writer)
        return true
    }

    /// Goes on with a stage; returns whether it is complete.
    private mutating func write(_ stage: Changeset<Section>, to writer: inout JSONWriter, upTo limit: Int) -> Bool {
        if stage.isEmpty { return true }
        if operation == 0, item == 0 { writer.beginObject() }
        let operations = ChangesetOperation.allCases
        while operation < operations.count {
            guard write(operations[operation], of: stage, to: &writer, upTo: limit) else { return false }
            operation += 1
        }
        writer.endObject()
        operation = 0
        return true
    }

    private mutating func write(
        _ operation: ChangesetOperation, of stage: Changeset<Section>, to writer: inout JSONWriter, upTo limit: Int
    ) -> Bool {
        let name = operation.rawValue
        return switch operation {
        case .elementUpdated: list(name, stage.elementUpdated, to: &writer, upTo: limit) { $0.change($1) }
        case .sectionDeleted: list(name, stage.sectionDeleted, to: &writer, upTo: limit) { $0.int($1) }
        case .elementDeleted: list(name, stage.elementDeleted, to: &writer, upTo: limit) { $0.path($1) }
        case .sectionInserted: inserted(name, stage.sectionInserted, to: &writer, upTo: limit)
        case .sectionMoved:
            list(name, stage.sectionMoved, to: &writer, upTo: limit) { writer, move in
                writer.move {
                    $0.int(move.from)
                } to: {
                    $0.int(move.to)
                }
            }
        case .elementInserted: list(name, stage.elementInserted, to: &writer, upTo: limit) { $0.change($1) }
        case .elementMoved:
            list(name, stage.elementMoved, to: &writer, upTo: limit) { writer, move in
                writer.move {
                    $0.path(move.from)
                } to: {
                    $0.path(move.to)
                }
            }
        case .sectionUpdated:
            list(name, stage.sectionUpdated, to: &writer, upTo: limit) { writer, change in
                Self.begin(change, to: &writer)
                change.section.encode(to: &writer, includingElements: false)
                writer.endObject()
            }
        }
    }

    /// Goes on with a list of items, each of them short; returns whether it is complete. A list without items is left out.
    private mutating func list<Item>(
        _ name: String, _ items: [Item], to writer: inout JSONWriter, upTo limit: Int,
        _ encode: (inout JSONWriter, Item) -> Void
    ) -> Bool {
        guard !items.isEmpty else { return true }
        if item == 0 {
            writer.key(name)
            writer.beginArray()
        }
        repeat {
            encode(&writer, items[item])
            item += 1
        } while item < items.count && writer.bytes.count < limit
        guard item == items.count else { return false }
        writer.endArray()
        item = 0
        return true
    }

    /// Goes on with the sections that come in, which may be long.
    private mutating func inserted(
        _ name: String, _ items: [SectionChange<Section>], to writer: inout JSONWriter, upTo limit: Int
    ) -> Bool {
        guard !items.isEmpty else { return true }
        if item == 0, section == nil {
            writer.key(name)
            writer.beginArray()
        }
        while item < items.count {
            if section == nil {
                Self.begin(items[item], to: &writer)
                section = SectionEncoder(items[item].section)
            }
            guard section?.write(to: &writer, upTo: limit) ?? true else { return false }
            writer.endObject()
            section = nil
            item += 1
        }
        writer.endArray()
        item = 0
        return true
    }

    private static func begin(_ change: SectionChange<Section>, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("at")
        writer.int(change.at)
        writer.key("section")
    }
}
