import ListDiff
import TestSupport

@testable import ListDiffTesting

extension SeededGenerator {
    /// A stage that fits a list and has operations of all kinds at once, as one that comes from elsewhere may have.
    mutating func mixedStage(on list: [Group]) -> Changeset<Group> {
        var stage = Changeset<Group>()
        var kept: [Int] = []
        for section in list.indices {
            switch below(6) {
            case 0: stage.sectionDeleted.append(section)
            case 1: stage.sectionMoved.append(SectionMove(from: section, to: 0))
            case 2: stage.sectionUpdated.append(SectionChange(at: section, section: Group(list[section].id, [])))
            default: break
            }
            if stage.sectionDeleted.last != section { kept.append(section) }
        }
        // Sections that come and sections that move get the places of a random order.
        let inserted = below(3)
        let count = kept.count + inserted
        var places = Array(0..<count).shuffled(using: &self)
        for number in 0..<inserted {
            let elements = (0..<below(4)).map { Item(id: 200 + 10 * number + $0) }
            stage.sectionInserted.append(SectionChange(at: places.removeLast(), section: Group(100 + number, elements)))
        }
        for number in stage.sectionMoved.indices { stage.sectionMoved[number].to = places.removeLast() }
        let moved = Set(stage.sectionMoved.map(\.from))
        var after = Dictionary(uniqueKeysWithValues: stage.sectionMoved.map { ($0.from, $0.to) })
        for (section, place) in zip(kept.filter { !moved.contains($0) }, places.sorted()) { after[section] = place }
        addElements(to: &stage, list, kept.compactMap { section in after[section].map { (section, $0) } })
        return stage
    }

    private mutating func addElements(
        to stage: inout Changeset<Group>, _ list: [Group], _ sections: [(before: Int, after: Int)]
    ) {
        var counts = Dictionary(uniqueKeysWithValues: sections.map { ($0.after, list[$0.before].elements.count) })
        var arriving: [(source: ElementPath?, section: Int)] = []
        for (before, after) in sections {
            for (place, item) in list[before].elements.enumerated() {
                let path = ElementPath(section: before, element: place)
                switch below(5) {
                case 0: stage.elementDeleted.append(path)
                case 1: arriving.append((path, sections[below(sections.count)].after))
                case 2: stage.elementUpdated.append(ElementChange(at: path, element: Item(id: item.id, content: 7)))
                default: continue
                }
                if stage.elementUpdated.last?.at != path { counts[after, default: 0] -= 1 }
            }
            if chance(2) { arriving.append((nil, after)) }
        }
        for (_, section) in arriving { counts[section, default: 0] += 1 }
        var places = counts.mapValues { Array(0..<$0) }
        for (number, arrival) in arriving.enumerated() {
            let place = places[arrival.section, default: []].remove(at: below(places[arrival.section]?.count ?? 0))
            let path = ElementPath(section: arrival.section, element: place)
            if let source = arrival.source {
                stage.elementMoved.append(ElementMove(from: source, to: path))
            } else {
                stage.elementInserted.append(ElementChange(at: path, element: Item(id: 300 + number)))
            }
        }
    }
}
