import JSONValues

extension Director {
    private static let snapshotMembers = [
        "director", "kind", "epoch", "version", "properties", "adapters", "headerFooterAdapters", "events",
        "scrollEvents", "rowEvents",
        "reset", "counts", "totals", "sections",
    ]

    /// Makes a director of a snapshot with its elements, as `encodeSnapshot` writes it.
    ///
    /// The working state is what is published, at revision 0: a snapshot does not tell what had not been published. Nor
    /// does it tell where events go: the director has no hooks.
    ///
    /// - Throws: Every fault, and counts that are not those of the sections.
    package static func decodeSnapshot(
        _ node: JSONNode, limits: DirectorLimits = DirectorLimits()
    ) throws(RepresentationError) -> Director {
        try decoding { faults in
            guard node.isObject("a snapshot", &faults) else { return nil }
            for member in node.members where !snapshotMembers.contains(where: member.isNamed) {
                JSONNode.appendUnknown(member, of: "a snapshot", known: snapshotMembers, &faults)
            }
            let name = node.decodeMember("director", &faults)?.decodeName(&faults)
            let epoch = node.decodeMember("epoch", &faults)?.decodeName(&faults)
            let version = node.decodeMember("version", &faults)?.decodePosition(&faults)
            let kind = node.decodeMember("kind", &faults)?.decodeChoice(DirectorKind.self, &faults)
            guard let name, let epoch, let version, let kind else { return nil }
            let properties = node.decodeMember("properties", &faults).flatMap {
                DirectorProperties.decode($0, kind: kind, &faults)
            }
            var director = Director(
                name: name, epoch: epoch, properties: properties ?? DirectorProperties(defaultsOf: kind),
                limits: limits)
            director.adapters = AdapterRegistry(snapshot: node, &faults)
            guard let list = director.decodeList(node, &faults) else { return nil }
            director.working.list = list
            director.published = PublishedState(restoring: list, version: version)
            director.reloaded = director.published.list
            return director
        }
    }

    private func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> ListState? {
        let context = OperationContext(kind: kind, adapters: adapters, limits: limits)
        let sections = node.decodeMember("sections", &faults)?.decodeArray(&faults) {
            context.publishedSection($0, &$1)
        }
        let counts = node.decodeMember("counts", &faults).flatMap { ListCounts.decode($0, &faults) }
        guard let sections, let counts else { return nil }
        if Set(sections.map(\.differenceIdentifier)).count != sections.count {
            faults.append("/sections", "two sections have the same id")
        }
        let list = ListState(sections: sections)
        let found = list.projected.counts
        if found != counts { faults.append("/counts", "the sections have other counts: \(found)") }
        return list
    }
}

extension AdapterRegistry {
    fileprivate init(snapshot node: JSONNode, _ faults: inout FaultList) {
        let cells = node.decodeMember("adapters", &faults)?.decodeArray(&faults) {
            CellAdapter.decode($0, model: nil, &$1)
        }
        let views = node.decodeMember("headerFooterAdapters", &faults)?.decodeArray(&faults) {
            HeaderFooterAdapter.decode($0, view: nil, &$1)
        }
        self.init(cells: cells ?? [], headerFooters: views ?? [])
    }
}
