import JSONValues
import ListDiff

// A source: a hook on the event "models", whose target the server asks for the elements of a section or a model row
// (TableViewConfigurator's `init(modelGenerator:optimizeModels:)`).

extension HookRegistry {
    /// The hooks whose targets are asked for elements, by their levels.
    ///
    /// - Complexity: O(*l*) in the number of levels that have hooks.
    package var sources: [(level: HookLevel, hook: EventHook)] {
        levels.compactMap { level, hooks in hooks[EventCatalog.models].map { (level, $0) } }
    }
}

extension Director {
    /// The question to a source, `{"type", "timestamp", "data": {"director", "epoch", "version", "section", "row"}}`; nil
    /// where the section or the row is not there.
    ///
    /// - Complexity: O(log *s* + log *r*) in the numbers of sections and rows, and the length of the section's members.
    package func sourceMessage(at level: HookLevel, time: WallTime) -> [UInt8]? {
        guard let owner = level.elementOwner, let section = try? working.list.section(at: owner.section).section else {
            return nil
        }
        if case .identifier(let row)? = owner.row, !working.list.hasRow(row, in: section.identifier) { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", EventCatalog.models)
            writer.member("timestamp", time.description)
            writer.key("data")
            writer.object { writer in
                writer.member("director", name)
                writer.member("epoch", epoch)
                writer.member("version", published.version)
                writer.key("section")
                section.encode(to: &writer, includingElements: false)
                if case .identifier(let row)? = owner.row { writer.member("row", row) }
            }
        }
        return writer.bytes
    }
}

extension HookLevel {
    /// The section or the model row whose elements a source at this level tells; nil at another level.
    fileprivate var elementOwner: ElementOwner? {
        switch self {
        case .section(let section): .section(.identifier(section))
        case .row(let section, let row): .row(section: .identifier(section), row: .identifier(row))
        case .cell, .headerFooter, .director, .scroll, .viewed: nil
        }
    }
}

extension HookAnswer {
    /// Reads a source's answer: an array of elements, or an object with one as `elements`. Other members are left aside.
    ///
    /// - Parameters:
    ///   - node: The answer.
    ///   - level: Where the source is registered.
    /// - Returns: The operation that puts these elements in place of what is there.
    /// - Throws: Every fault.
    /// - Complexity: O(*n*) in the length of the answer.
    package static func decodeElements(
        _ node: JSONNode, at level: HookLevel
    ) throws(RepresentationError) -> Operation {
        try decoding { faults in
            guard let list = node.kind == .array ? node : node["elements"], let owner = level.elementOwner else {
                faults.append(node, #"expected an array of elements, or an object with the member "elements""#)
                return nil
            }
            return ElementDraft.decodeList(list, &faults).map { .elements(of: owner, .set($0)) }
        }
    }
}
