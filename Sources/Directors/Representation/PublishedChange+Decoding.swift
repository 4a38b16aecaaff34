import JSONValues
import ListDiff

extension PublishedChange {
    private static let names = members.map(\.name)

    /// Reads a change as `encode(to:)` writes it.
    ///
    /// - Parameters:
    ///   - node: The change.
    ///   - director: The director whose adapters its elements have.
    /// - Throws: Every fault. Whether the stages fit a list is for `applying(_:)` to say.
    package static func decode(_ node: JSONNode, for director: Director) throws(RepresentationError) -> PublishedChange
    {
        let context = OperationContext(kind: director.kind, adapters: director.adapters, limits: director.limits)
        return try decoding { faults in
            guard node.isObject("a change", &faults) else { return nil }
            for member in node.members where !names.contains(where: member.isNamed) {
                JSONNode.appendUnknown(member, of: "a change", known: names, &faults)
            }
            let name = node.decodeMember("director", &faults)?.decodeString(&faults)
            let epoch = node.decodeMember("epoch", &faults)?.decodeString(&faults)
            let from = node.decodeMember("from", &faults)?.decodePosition(&faults)
            let version = node.decodeMember("version", &faults)?.decodePosition(&faults)
            let animations = node["animations"].flatMap { Animations.decode($0, &faults) }
            let causes = node["causes"]?.decodeArray(&faults) { $0.decodeString(&$1) }
            let counts = node.decodeMember("counts", &faults).flatMap { ListCounts.decode($0, &faults) }
            let reader = StageReader(context: context)
            let stages = node.decodeMember("stages", &faults)?.decodeArray(&faults) { node, faults in
                reader.stage(node, &faults)
            }
            let replaced = node["replaced"]?.decodeArray(&faults, reader.elementChange)
            guard let name, let epoch, let from, let version, let counts, let stages else { return nil }
            return PublishedChange(
                director: name, epoch: epoch, from: from, version: version, animations: animations,
                causes: CauseList(causes ?? []),
                changeset: StagedChangeset(stages: stages, replaced: replaced ?? []), counts: counts)
        }
    }
}

extension ListCounts {
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> ListCounts? {
        guard node.isObject("counts", &faults) else { return nil }
        let sections = node.decodeMember("sections", &faults)?.decodePosition(&faults)
        let elements = node.decodeMember("elements", &faults)?.decodePosition(&faults)
        guard let sections, let elements else { return nil }
        return ListCounts(sections: sections, elements: elements)
    }
}

/// Reads the stages of a change.
private struct StageReader {
    let context: OperationContext

    func stage(_ node: JSONNode, _ faults: inout FaultList) -> Changeset<Section>? {
        guard node.isObject("a stage", &faults) else { return nil }
        var stage = Changeset<Section>()
        for member in node.members {
            guard let operation = ChangesetOperation(rawValue: member.name) else {
                let known = ChangesetOperation.allCases.map(\.rawValue)
                JSONNode.appendUnknown(member, of: "a stage", known: known, &faults)
                continue
            }
            read(operation, member.value, into: &stage, &faults)
        }
        return stage
    }

    private func read(
        _ operation: ChangesetOperation, _ node: JSONNode, into stage: inout Changeset<Section>,
        _ faults: inout FaultList
    ) {
        switch operation {
        case .elementUpdated: stage.elementUpdated = node.decodeArray(&faults, elementChange) ?? []
        case .sectionDeleted: stage.sectionDeleted = node.decodeArray(&faults) { $0.decodePosition(&$1) } ?? []
        case .elementDeleted: stage.elementDeleted = node.decodeArray(&faults) { $0.decodePath(&$1) } ?? []
        case .sectionInserted: stage.sectionInserted = node.decodeArray(&faults, sectionChange) ?? []
        case .sectionMoved:
            stage.sectionMoved =
                node.decodeArray(&faults) { node, faults in
                    let from = node.decodeMember("from", &faults)?.decodePosition(&faults)
                    let to = node.decodeMember("to", &faults)?.decodePosition(&faults)
                    guard let from, let to else { return nil }
                    return SectionMove(from: from, to: to)
                } ?? []
        case .elementInserted: stage.elementInserted = node.decodeArray(&faults, elementChange) ?? []
        case .elementMoved:
            stage.elementMoved =
                node.decodeArray(&faults) { node, faults in
                    let from = node.decodeMember("from", &faults)?.decodePath(&faults)
                    let to = node.decodeMember("to", &faults)?.decodePath(&faults)
                    guard let from, let to else { return nil }
                    return ElementMove(from: from, to: to)
                } ?? []
        case .sectionUpdated: stage.sectionUpdated = node.decodeArray(&faults, sectionChange) ?? []
        }
    }

    func elementChange(_ node: JSONNode, _ faults: inout FaultList) -> ElementChange<Element>? {
        let path = node.decodeMember("at", &faults)?.decodePath(&faults)
        guard let path, let body = node.decodeMember("element", &faults),
            let element = context.publishedElement(body, &faults)
        else { return nil }
        return ElementChange(at: path, element: element)
    }

    private func sectionChange(_ node: JSONNode, _ faults: inout FaultList) -> SectionChange<Section>? {
        let position = node.decodeMember("at", &faults)?.decodePosition(&faults)
        guard let position, let body = node.decodeMember("section", &faults),
            let section = context.publishedSection(body, &faults)
        else { return nil }
        return SectionChange(at: position, section: section)
    }
}

extension JSONNode {
    /// A member that has to be there.
    func decodeMember(_ name: String, _ faults: inout FaultList) -> JSONNode? {
        let member = self[name]
        if member == nil { faults.append(self, "the member \(name.quoted) is missing") }
        return member
    }

    /// A whole number from zero.
    func decodePosition(_ faults: inout FaultList) -> Int? {
        guard let position = int, position >= 0 else {
            faults.append(self, "expected a whole number from zero")
            return nil
        }
        return position
    }

    /// An index path, `[section, element]`.
    func decodePath(_ faults: inout FaultList) -> ElementPath? {
        let positions = elements.compactMap { $0.int }.filter { $0 >= 0 }
        guard positions.count == 2, elements.reduce(0, { count, _ in count + 1 }) == 2 else {
            faults.append(self, "expected an index path, [section, element]")
            return nil
        }
        return ElementPath(section: positions[0], element: positions[1])
    }

    /// An array of which every element can be read.
    package func decodeArray<Item>(
        _ faults: inout FaultList, _ decode: (JSONNode, inout FaultList) -> Item?
    ) -> [Item]? {
        guard kind == .array else {
            faults.append(self, expected: "an array")
            return nil
        }
        var items: [Item] = []
        for element in elements where !faults.isFull {
            if let item = decode(element, &faults) { items.append(item) }
        }
        return items
    }
}
