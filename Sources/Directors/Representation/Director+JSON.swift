import JSONValues

/// The body of `PUT /directors/{d}`: what a director is to be.
package struct DirectorDefinition: Hashable, Sendable {
    /// The properties, and so the kind.
    package var properties: DirectorProperties

    private static let members = Director.form.names

    /// Reads a definition: `kind`, and `properties` where they are not to be at their defaults.
    ///
    /// The members that a read answers besides may be there, so that what was read can be sent back; but for a `name`,
    /// which has to be the director's, they are left aside. The member `view` is read by those who know what it means.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode, name: String) throws(RepresentationError) -> DirectorDefinition {
        try decoding { faults in
            guard node.isObject("a director", &faults) else { return nil }
            for member in node.members where !members.contains(where: member.isNamed) {
                JSONNode.appendUnknown(member, of: "a director", known: members, &faults)
            }
            _ = node.decodeKey("name", given: name, &faults)
            guard let kindNode = node["kind"] else {
                faults.append(node, #"a director needs the member "kind""#)
                return nil
            }
            guard let kind = kindNode.decodeChoice(DirectorKind.self, &faults) else { return nil }
            guard let properties = node["properties"], !properties.isNull else {
                return DirectorDefinition(properties: DirectorProperties(defaultsOf: kind))
            }
            return DirectorProperties.decode(properties, kind: kind, &faults).map(DirectorDefinition.init)
        }
    }
}

extension Director: AnswerObject {
    /// The director as a read answers it; `counts` are those of the working state.
    package static let form = AnswerForm<Self>(
        AnswerField("name") { $0.name },
        AnswerField("kind", as: .reference("Kind")) { $0.kind.rawValue },
        AnswerField("revision", as: .integer(minimum: 0)) { $0.revision },
        AnswerField("version", as: .integer(minimum: 0)) { $0.version },
        AnswerField("epoch") { $0.epoch },
        AnswerField("properties") { $0.properties },
        .ifAny("view", as: .reference("View")) { $0.derivation?.definition },
        AnswerField("counts") { $0.working.list.counts },
        .ifAny("totals", "The totals of a view, by name.") { $0.derivedFacts?.totals },
        .ifAny(
            "faults", "The elements that a view leaves out; only for clients that may read its source.",
            as: .reference("ViewFaults")
        ) { $0.derivedFacts?.faults })
}

extension DirectorProperties: AnswerValue {
    package static var schema: JSONSchema { .reference("Properties") }
    package func write(to writer: inout JSONWriter) { encode(to: &writer) }
}

extension Director {
    /// Appends the data of a `definition` event: what the director is, besides its content.
    package func encodeDefinition(to writer: inout JSONWriter) {
        writer.beginObject()
        encodeDefinitionMembers(version: version, to: &writer)
        writer.endObject()
    }

    /// Appends the data of a `snapshot` event.
    ///
    /// - Parameters:
    ///   - state: The published state, the newest unless an older one is retained and asked for.
    ///   - includingElements: False for `?snapshot=reference`, whose reader pages the elements.
    ///   - writer: Where it goes.
    /// - Complexity: O(*n*) in the number of sections and elements; a ``SnapshotEncoder`` writes the same in pieces.
    package func encodeSnapshot(of state: PublishedState, includingElements: Bool, to writer: inout JSONWriter) {
        var encoder = SnapshotEncoder(self, state, includingElements: includingElements)
        _ = encoder.write(to: &writer, upTo: .max)
    }

    func encodeDefinitionMembers(version: Int, to writer: inout JSONWriter) {
        writer.key("director")
        writer.string(name)
        writer.key("kind")
        writer.string(kind.rawValue)
        writer.key("epoch")
        writer.string(epoch)
        writer.key("version")
        writer.int(version)
        writer.key("properties")
        properties.encode(to: &writer)
        writer.key("adapters")
        writer.beginArray()
        for adapter in adapters.sortedCells {
            adapter.encode(to: &writer) { encodeEventKinds(at: .cell(adapter.model), to: &$0) }
        }
        writer.endArray()
        writer.key("headerFooterAdapters")
        writer.beginArray()
        for adapter in adapters.sortedHeaderFooters {
            adapter.encode(to: &writer) { encodeEventKinds(at: .headerFooter(adapter.view), to: &$0) }
        }
        writer.endArray()
        writer.key("events")
        encodeEventKinds(at: .director, to: &writer)
        writer.key("scrollEvents")
        encodeEventKinds(at: .scroll, to: &writer)
        encodeRowEvents(to: &writer)
    }

    /// Appends which events rows have hooks on, as `rowEvents`; nothing where none has.
    private func encodeRowEvents(to writer: inout JSONWriter) {
        let rows = hooks.rowLevels.filter { hookedEvents(at: $0).contains { $0.event.isForUIs } }
        guard !rows.isEmpty else { return }
        writer.key("rowEvents")
        writer.array { writer in
            for level in rows {
                guard case .row(let section, let row) = level else { continue }
                writer.object { writer in
                    writer.member("section", section)
                    writer.member("row", row)
                    writer.key("events")
                    encodeEventKinds(at: level, to: &writer)
                }
            }
        }
    }
}

extension ListCounts: AnswerValue {
    package static var schema: JSONSchema { .reference("Counts") }
    /// The members of counts: sections and elements.
    package static let members = ["sections", "elements"].map { MemberDescription($0, .integer(minimum: 0)) }

    /// Appends the counts as `{"sections", "elements"}`.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("sections")
        writer.int(sections)
        writer.key("elements")
        writer.int(elements)
        writer.endObject()
    }
}
