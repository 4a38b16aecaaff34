import ListDiff

/// Where the rows of a table, the elements of all sections one after the other, come from in one stage.
///
/// It is what the operations say: no elements are compared.
struct RowOrigins {
    /// What becomes of a row that was there before the stage.
    enum Fate: Equatable {
        case stays
        case moves
        case goes(ChangesetOperation)
    }

    /// Where a row that is there after the stage comes from.
    enum Origin: Equatable {
        case row(Int)
        case arrives(ChangesetOperation)
    }

    /// For each row before the stage, what becomes of it.
    private(set) var fates: [Fate]
    /// For each row before the stage, whether its content is replaced.
    private(set) var isUpdated: [Bool]
    /// For each row after the stage, where it comes from.
    private(set) var origins: [Origin] = []

    /// Follows the rows through a stage that fits.
    ///
    /// - Parameters:
    ///   - stage: The stage.
    ///   - before: The number of elements of each section before it.
    ///   - after: The number of elements of each section after it.
    /// - Complexity: O(*n*) for *n* rows and sections.
    init<Section>(_ stage: Changeset<Section>, from before: [Int], to after: [Int]) {
        var starts = [0]
        for count in before { starts.append(starts[starts.count - 1] + count) }
        func row(_ path: ElementPath) -> Int { starts[path.section] + path.element }
        func rows(_ section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

        fates = Array(repeating: .stays, count: starts[before.count])
        isUpdated = Array(repeating: false, count: starts[before.count])
        for row in stage.sectionDeleted.lazy.flatMap({ rows($0) }) { fates[row] = .goes(.sectionDeleted) }
        for row in stage.sectionMoved.lazy.flatMap({ rows($0.from) }) { fates[row] = .moves }
        for path in stage.elementDeleted { fates[row(path)] = .goes(.elementDeleted) }
        for row in stage.sectionUpdated.lazy.flatMap({ rows($0.at) }) { isUpdated[row] = true }
        for change in stage.elementUpdated { isUpdated[row(change.at)] = true }

        // By the section after the stage, what comes to which of its places, and what leaves its own.
        var arrivals: [Int: [Int: Origin]] = [:]
        var isLeaving = Array(repeating: false, count: fates.count)
        for change in stage.elementInserted {
            arrivals[change.at.section, default: [:]][change.at.element] = .arrives(.elementInserted)
        }
        for path in stage.elementDeleted { isLeaving[row(path)] = true }
        for move in stage.elementMoved {
            arrivals[move.to.section, default: [:]][move.to.element] = .row(row(move.from))
            fates[row(move.from)] = .moves
            isLeaving[row(move.from)] = true
        }
        for (section, source) in Self.sections(stage, before.count, after.count).enumerated() {
            guard let source else {
                origins += Array(repeating: .arrives(.sectionInserted), count: after[section])
                continue
            }
            let staying = rows(source).lazy.filter { !isLeaving[$0] }.map { Origin.row($0) }
            origins += Self.filling(after[section], with: arrivals[section] ?? [:], and: staying)
        }
    }

    /// For each section after a stage, which it was before; nil for one that is inserted.
    private static func sections<Section>(_ stage: Changeset<Section>, _ before: Int, _ after: Int) -> [Int?] {
        var isLeaving = Array(repeating: false, count: before)
        var arrivals: [Int: Int?] = [:]
        for section in stage.sectionDeleted { isLeaving[section] = true }
        for change in stage.sectionInserted { arrivals.updateValue(nil, forKey: change.at) }
        for move in stage.sectionMoved {
            isLeaving[move.from] = true
            arrivals[move.to] = move.from
        }
        let staying = (0..<before).lazy.filter { !isLeaving[$0] }.map { Int?($0) }
        return filling(after, with: arrivals, and: staying)
    }

    /// What stands at each place: what arrives there, and in the places between, in order, what stays.
    private static func filling<Item>(
        _ count: Int, with arrivals: [Int: Item], and staying: some Sequence<Item>
    ) -> [Item] {
        guard !arrivals.isEmpty else { return Array(staying) }
        var staying = staying.makeIterator()
        return (0..<count).compactMap { arrivals[$0] ?? staying.next() }
    }
}
