import Foundation

/// The operations of one batch update of a collection, carried out as AppKit describes them.
///
/// Deletions, reloads and the sources of moves are places before the update; insertions and the targets of moves are
/// places after it. Arriving items are put at their places, and the items that stay into the places between. The number of
/// places has to be what the data source says.
struct ItemUpdates {
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var reloadedSections: [Int] = []
    var movedSections: [(from: Int, to: Int)] = []
    var deleted: [IndexPath] = []
    var inserted: [IndexPath] = []
    var reloaded: [IndexPath] = []
    var moved: [(from: IndexPath, to: IndexPath)] = []

    /// The items by section after the update, nil where one has to be asked for, and what is wrong with the operations.
    func result<Item>(from before: [[Item?]], to counts: [Int]) -> (items: [[Item?]], faults: [String]) {
        let anew = counts.map { [Item?](repeating: nil, count: $0) }
        let faults = sources(before.map(\.count)) + targets(counts)
        guard faults.isEmpty else { return (anew, faults) }
        let leaving = Set(deletedSections + movedSections.map(\.from))
        let arriving =
            insertedSections.map { ($0, Int?.none) } + movedSections.map { ($0.to, $0.from) }
        let staying = before.indices.filter { !leaving.contains($0) }
        guard let sections = Self.filled(counts.count, arriving, staying) else {
            return (anew, ["\(before.count) sections became \(counts.count)"])
        }
        var (items, wrong) = (anew, [String]())
        for (section, source) in sections.enumerated() {
            guard let source, !reloadedSections.contains(source) else { continue }
            if let filled = self.items(of: section, counts[section], from: source, before) {
                items[section] = filled
            } else {
                wrong.append(
                    "section \(source) of \(before[source].count) items became section \(section) of \(counts[section])"
                )
            }
        }
        return (items, wrong)
    }

    private func items<Item>(
        of section: Int, _ count: Int, from source: Int, _ before: [[Item?]]
    ) -> [Item?]? {
        let leaving = Set((deleted + moved.map(\.from)).filter { $0.section == source }.map(\.item))
        let staying = before[source].indices.filter { !leaving.contains($0) }.map { place in
            reloaded.contains([source, place]) ? nil : before[source][place]
        }
        let arriving =
            inserted.filter { $0.section == section }.map { ($0.item, Item?.none) }
            + moved.filter { $0.to.section == section }.map { ($0.to.item, before[$0.from.section][$0.from.item]) }
        return Self.filled(count, arriving, staying)
    }

    /// What arrives at its places and what stays in the others; nil where they are more or fewer than the places.
    private static func filled<Item>(_ count: Int, _ arriving: [(Int, Item?)], _ staying: [Item?]) -> [Item?]? {
        guard arriving.count + staying.count == count else { return nil }
        let arrivals = Dictionary(uniqueKeysWithValues: arriving)
        var staying = staying.makeIterator()
        return (0..<count).map { place in
            if let arrival = arrivals[place] { arrival } else { staying.next() ?? nil }
        }
    }

    private func sources(_ before: [Int]) -> [String] {
        let sections = deletedSections + reloadedSections + movedSections.map(\.from)
        let paths = deleted + reloaded + moved.map(\.from)
        var wrong = sections.filter { !before.indices.contains($0) }.map { "section \($0) was not there" }
        if Set(sections).count != sections.count { wrong.append("a section has two operations") }
        if Set(paths).count != paths.count { wrong.append("an item has two operations") }
        for path in paths {
            if !before.indices.contains(path.section) || path.item >= before[path.section] {
                wrong.append("\(path) was not there")
            } else if sections.contains(path.section) {
                wrong.append("\(path) changes inside a section that changes itself")
            }
        }
        return wrong
    }

    private func targets(_ after: [Int]) -> [String] {
        let sections = insertedSections + movedSections.map(\.to)
        let paths = inserted + moved.map(\.to)
        var wrong = sections.filter { !after.indices.contains($0) }.map { "section \($0) is not there" }
        if Set(sections).count != sections.count { wrong.append("two sections come to one place") }
        if Set(paths).count != paths.count { wrong.append("two items come to one place") }
        for path in paths where !after.indices.contains(path.section) || path.item >= after[path.section] {
            wrong.append("\(path) is not there")
        }
        return wrong
    }
}
