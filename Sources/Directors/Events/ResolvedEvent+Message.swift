import JSONValues
import ListDiff

extension ResolvedEvent {
    /// The message to a hook's target, `{"type", "timestamp", "data"}` (Standard Webhooks' form).
    ///
    /// - Parameter time: When the event was reported.
    /// - Complexity: O(*n*) in the length of the elements' texts.
    package func message(at time: WallTime) -> [UInt8] {
        var writer = JSONWriter()
        encodeMessage(at: time, to: &writer)
        return writer.bytes
    }

    private func encodeMessage(at time: WallTime, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("type")
        writer.string(definition.name)
        writer.key("timestamp")
        writer.string(time.description)
        writer.key("data")
        encodeData(to: &writer)
        writer.endObject()
    }

    private func encodeData(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("director")
        writer.string(director)
        writer.key("epoch")
        writer.string(epoch)
        writer.key("version")
        writer.int(version)
        switch subject {
        case .item(let item): item.encodeMembers(shownIn: view, to: &writer)
        case .items(let items):
            writer.key("items")
            writer.beginArray()
            for item in items {
                writer.beginObject()
                item.encodeMembers(shownIn: view, to: &writer)
                writer.endObject()
            }
            writer.endArray()
        case .supplementary(let supplementary): supplementary.encodeMembers(shownIn: view, to: &writer)
        case .list: writer.shownIn(view) { _ in }
        }
        if let parameters {
            writer.key("parameters")
            writer.value(parameters)
        }
        writer.endObject()
    }
}

extension ResolvedEvent.Item {
    fileprivate func encodeMembers(shownIn director: String?, to writer: inout JSONWriter) {
        writer.key("indexPath")
        writer.path(path)
        writer.shownIn(director) { writer in
            guard let viewed else { return }
            writer.key("indexPath")
            writer.path(viewed)
        }
        writer.key("section")
        section.encode(to: &writer, includingElements: false)
        writer.key("element")
        element.encode(to: &writer)
        writer.key("cell")
        writer.string(shownCell ?? element.adapter.row?.cell ?? element.adapter.cell)
    }
}

extension ResolvedEvent.Supplementary {
    fileprivate func encodeMembers(shownIn director: String?, to writer: inout JSONWriter) {
        writer.key(isHeader ? "header" : "footer")
        writer.int(position)
        writer.shownIn(director) { writer in
            if let viewed { writer.member(isHeader ? "header" : "footer", viewed) }
        }
        writer.key("section")
        section.encode(to: &writer, includingElements: false)
        if let view {
            writer.key("view")
            writer.string(view)
        }
    }
}

extension JSONWriter {
    /// Writes the view that an event was reported at, and the place there; nothing for an event of the director itself.
    fileprivate mutating func shownIn(_ view: String?, _ place: (inout JSONWriter) -> Void) {
        guard let view else { return }
        key("shownIn")
        beginObject()
        member("director", view)
        place(&self)
        endObject()
    }
}
