import ListDiff

@testable import ListDiffTesting

/// A changeset with one fault in it, and what the fault is.
struct Fault {
    let name: String
    let stages: [Changeset<Group>]
    var replaced: [ElementChange<Item>] = []

    var changeset: StagedChangeset<Group> {
        StagedChangeset(stages: stages, replaced: replaced)
    }
}

/// Plants faults in the right changeset of two lists whose identifiers are all distinct, where every one of them shows.
struct FaultPlanter {
    let pair: Pair
    let stages: [Changeset<Group>]
    let replaced: [ElementChange<Item>]

    init(_ pair: Pair) {
        self.init(pair, StagedChangeset(from: pair.source, to: pair.target))
    }

    init(_ pair: Pair, _ changeset: StagedChangeset<Group>) {
        self.pair = pair
        stages = changeset.stages
        replaced = changeset.replaced
    }

    /// One changeset for each fault that there is a place for.
    func faults() -> [Fault] {
        let faults = (operationFaults() + stageFaults() + redundancies() + intrusions()).map { fault in
            Fault(name: fault.name, stages: fault.stages, replaced: replaced)
        }
        return faults + replacementFaults()
    }

    // MARK: - What is replaced

    private func replacementFaults() -> [Fault] {
        var result: [Fault] = []
        func add(_ name: String, _ change: (inout [ElementChange<Item>]) -> Void) {
            var replaced = replaced
            change(&replaced)
            result.append(Fault(name: name, stages: stages, replaced: replaced))
        }
        for index in replaced.indices {
            add("drop replaced") { $0.remove(at: index) }
            add("repeat replaced") { $0.append($0[index]) }
            add("raise replaced") { $0[index].at.element += 1 }
            add("lower replaced") { $0[index].at.element -= 1 }
            add("raise replaced") { $0[index].at.section += 1 }
            add("lower replaced") { $0[index].at.section -= 1 }
            add("spoil replaced") { $0[index].element.detail += 7 }
            add("spoil replaced") { $0[index].element.content += 7 }
        }
        let paths = Set(replaced.map(\.at))
        for (section, group) in pair.target.enumerated() {
            for (element, item) in group.elements.enumerated() {
                let path = ElementPath(section: section, element: element)
                guard !paths.contains(path) else { continue }
                add("redundant replaced") { $0.append(ElementChange(at: path, element: item)) }
            }
        }
        return result
    }

    // MARK: - Single operations

    private func operationFaults() -> [Fault] {
        faults(in: \.elementUpdated, "elementUpdated", [\.at.element, \.at.section])
            + faults(in: \.sectionDeleted, "sectionDeleted", [\.self])
            + faults(in: \.elementDeleted, "elementDeleted", [\.element, \.section])
            + faults(in: \.sectionInserted, "sectionInserted", [\.at])
            + faults(in: \.sectionMoved, "sectionMoved", [\.from, \.to])
            + faults(in: \.elementInserted, "elementInserted", [\.at.element, \.at.section])
            + faults(in: \.elementMoved, "elementMoved", [\.from.element, \.from.section, \.to.element, \.to.section])
            + faults(in: \.sectionUpdated, "sectionUpdated", [\.at])
            + spoil(\.elementUpdated, "elementUpdated") { $0.element.content += 7 }
            + spoil(\.elementInserted, "elementInserted") { $0.element.content += 7 }
            + spoil(\.sectionInserted, "sectionInserted") { $0.section.elements.append(Item(id: 99)) }
            + spoil(\.sectionUpdated, "sectionUpdated") { $0.section.content += 7 }
            + spoil(\.sectionUpdated, "sectionUpdated") { $0.section.elements.append(Item(id: 99)) }
    }

    /// Leaves each operation out, repeats it, and shifts each of its indexes either way.
    private func faults<Operation>(
        in member: WritableKeyPath<Changeset<Group>, [Operation]>,
        _ name: String,
        _ indexes: [WritableKeyPath<Operation, Int>]
    ) -> [Fault] {
        var result: [Fault] = []
        for stage in stages.indices {
            for operation in stages[stage][keyPath: member].indices {
                result.append(change("drop \(name)", stage) { _ = $0[keyPath: member].remove(at: operation) })
                result.append(
                    change("repeat \(name)", stage) { $0[keyPath: member].append($0[keyPath: member][operation]) })
                for index in indexes {
                    result.append(
                        change("raise \(name)", stage) { $0[keyPath: member][operation][keyPath: index] += 1 })
                    result.append(
                        change("lower \(name)", stage) { $0[keyPath: member][operation][keyPath: index] -= 1 })
                }
            }
        }
        return result
    }

    private func spoil<Operation>(
        _ member: WritableKeyPath<Changeset<Group>, [Operation]>,
        _ name: String,
        _ spoil: (inout Operation) -> Void
    ) -> [Fault] {
        stages.indices.flatMap { stage in
            stages[stage][keyPath: member].indices.map { operation in
                change("spoil \(name)", stage) { spoil(&$0[keyPath: member][operation]) }
            }
        }
    }

    private func change(_ name: String, _ stage: Int, _ body: (inout Changeset<Group>) -> Void) -> Fault {
        var stages = stages
        body(&stages[stage])
        return Fault(name: name, stages: stages.filter { !$0.isEmpty })
    }

    // MARK: - Whole stages

    private func stageFaults() -> [Fault] {
        var result: [Fault] = [Fault(name: "empty stage", stages: stages + [Changeset()])]
        if stages.count > 1 {
            result.append(Fault(name: "reversed stages", stages: stages.reversed()))
            result.append(Fault(name: "missing stage", stages: Array(stages.dropFirst())))
        }
        if let moves = stages.firstIndex(where: { !$0.elementMoved.isEmpty }),
            let deletes = stages.firstIndex(where: { !$0.sectionDeleted.isEmpty })
        {
            var merged = stages
            merged[deletes].elementMoved = merged[moves].elementMoved
            merged[moves].elementMoved = []
            result.append(Fault(name: "moves among deletes", stages: merged.filter { !$0.isEmpty }))
        }
        return result
    }

    // MARK: - What is legal and right, but need not be

    private func redundancies() -> [Fault] {
        redundantElementMoves() + redundantSectionMoves() + redundantUpdates()
    }

    /// Moves each element that stays to where it gets anyway.
    private func redundantElementMoves() -> [Fault] {
        let before = stages.prefix { !$0.kinds.isDisjoint(with: Self.first) }
        guard let list = try? pair.source.applying(StagedChangeset(stages: Array(before))) else {
            return []
        }
        let isStage = before.count < stages.count && stages[before.count].sectionUpdated.isEmpty
        let moved = Set(isStage ? stages[before.count].elementMoved.map(\.from) : [])
        var result: [Fault] = []
        for (section, group) in list.enumerated() {
            for (element, item) in group.elements.enumerated() {
                let from = ElementPath(section: section, element: element)
                if !moved.contains(from), let to = targetPath(of: item.id),
                    pair.source.contains(where: { $0.id == group.id })
                {
                    var stages = stages
                    if !isStage {
                        stages.insert(Changeset(), at: before.count)
                    }
                    stages[before.count].elementMoved.append(ElementMove(from: from, to: to))
                    result.append(Fault(name: "redundant element move", stages: stages))
                }
            }
        }
        return result
    }

    private static let first: Set<ChangesetOperation> = [
        .elementUpdated, .sectionDeleted, .elementDeleted, .sectionInserted, .sectionMoved,
    ]

    private func redundantSectionMoves() -> [Fault] {
        guard let stage = stages.firstIndex(where: { !$0.sectionMoved.isEmpty }) else {
            return []
        }
        let kept = pair.source.filter { group in pair.target.contains { $0.id == group.id } }
        var result: [Fault] = []
        for (from, group) in kept.enumerated() where !stages[stage].sectionMoved.contains(where: { $0.from == from }) {
            if let to = pair.target.firstIndex(where: { $0.id == group.id }) {
                result.append(
                    change("redundant section move", stage) { $0.sectionMoved.append(SectionMove(from: from, to: to)) })
            }
        }
        return result
    }

    private func redundantUpdates() -> [Fault] {
        var result: [Fault] = []
        if let stage = stages.firstIndex(where: { !$0.elementUpdated.isEmpty }) {
            let updated = Set(stages[stage].elementUpdated.map(\.at))
            for (section, group) in pair.source.enumerated() {
                for (element, item) in group.elements.enumerated() {
                    let path = ElementPath(section: section, element: element)
                    if !updated.contains(path) {
                        result.append(
                            change("redundant element update", stage) {
                                $0.elementUpdated.append(ElementChange(at: path, element: item))
                            })
                    }
                }
            }
        }
        if let stage = stages.firstIndex(where: { !$0.sectionUpdated.isEmpty }) {
            let updated = stages[stage].sectionUpdated.map(\.at)
            for (section, group) in pair.target.enumerated() where !updated.contains(section) {
                let change = SectionChange(at: section, section: Group(copying: group, elements: []))
                result.append(self.change("redundant section update", stage) { $0.sectionUpdated.append(change) })
            }
        }
        return result
    }

    private func targetPath(of id: Int) -> ElementPath? {
        for (section, group) in pair.target.enumerated() {
            if let element = group.elements.firstIndex(where: { $0.id == id }) {
                return ElementPath(section: section, element: element)
            }
        }
        return nil
    }

    // MARK: - What reaches into sections that come or go

    private func intrusions() -> [Fault] {
        var result: [Fault] = []
        if let stage = stages.firstIndex(where: { !$0.sectionDeleted.isEmpty }) {
            for section in stages[stage].sectionDeleted where !pair.source[section].elements.isEmpty {
                let path = ElementPath(section: section, element: 0)
                result.append(change("delete in a deleted section", stage) { $0.elementDeleted.append(path) })
            }
        }
        if let stage = stages.firstIndex(where: { !$0.sectionInserted.isEmpty }) {
            for insert in stages[stage].sectionInserted {
                guard let item = insert.section.elements.last else {
                    continue
                }
                let path = ElementPath(section: insert.at, element: insert.section.elements.count - 1)
                result.append(
                    change("insert in an inserted section", stage) {
                        $0.elementInserted.append(ElementChange(at: path, element: item))
                    })
            }
        }
        return result
    }
}
