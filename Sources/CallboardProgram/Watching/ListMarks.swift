import CallboardClient
import ListDiff

/// A row's change in the last changeset.
enum Mark: Character, Sendable, Equatable {
    case inserted = "+"
    case updated = "~"
    case moved = ">"
    case deleted = "-"
}

/// The marks of one change: which rows of the new list are new, changed or moved, and which rows are gone.
struct ListMarks: Sendable, Equatable {
    /// An element that is gone, with where it stood: its section by the place in the old list.
    struct Ghost: Sendable, Equatable {
        let section: Int
        let position: Int
        let element: RemoteElement
    }

    /// The marks of elements by their place in the new list.
    private(set) var elements: [ElementPath: Mark] = [:]
    /// The marks of sections by their place in the new list: identifiers may occur more than once.
    private(set) var sections: [Int: Mark] = [:]
    /// For each section of the new list, its place in the old one; nil where it is new.
    private(set) var sources: [Int?] = []
    /// The rows that moved away from a section of the old list, by their places among those that are not gone.
    private(set) var leavers: [Int: Set<Int>] = [:]
    /// The elements that are gone, in the old list's order.
    private(set) var ghosts: [Ghost] = []
    /// The sections that are gone.
    private(set) var ghostSections: [RemoteSection] = []

    /// No marks.
    init() {}

    /// The marks of a change from one list to another.
    ///
    /// - Complexity: O(*n*) in the elements of both lists.
    init(_ changeset: RemoteChangeset, from old: [RemoteSection], to new: [RemoteSection]) {
        sources = Array(old.indices)
        guard let states = try? changeset.stages.states(from: old) else { return }
        var before = old
        var updated: Set<RemoteElement.Identity> = []
        for (stage, after) in zip(changeset.stages.stages, states) {
            updated.formUnion(stage.elementUpdated.map(\.element.differenceIdentifier))
            noteDeletions(stage, before)
            for move in stage.elementMoved {
                if let source = sources[move.from.section] { leavers[source, default: []].insert(move.from.element) }
            }
            noteSections(stage)
            // Nothing after this stage moves a section or an element, so its targets are places in the new list.
            for change in stage.elementInserted { elements[change.at] = .inserted }
            for move in stage.elementMoved { elements[move.to] = .moved }
            before = after
        }
        noteUpdates(updated, in: new)
    }

    private mutating func noteDeletions(_ stage: Changeset<RemoteSection>, _ before: [RemoteSection]) {
        ghostSections += stage.sectionDeleted.sorted().map { before[$0] }
        ghosts += stage.elementDeleted.sorted().map { path in
            Ghost(
                section: path.section, position: path.element,
                element: before[path.section].elements[path.element])
        }
    }

    private mutating func noteSections(_ stage: Changeset<RemoteSection>) {
        let leaving = Set(stage.sectionDeleted + stage.sectionMoved.map(\.from))
        var arriving = stage.sectionInserted.map { (place: $0.at, source: Int?.none) }
        arriving += stage.sectionMoved.map { ($0.to, sources[$0.from]) }
        sources = sources.indices.filter { !leaving.contains($0) }.map { sources[$0] }
        for (place, source) in arriving.sorted(by: { $0.place < $1.place }) { sources.insert(source, at: place) }
        for change in stage.sectionInserted { sections[change.at] = .inserted }
        for move in stage.sectionMoved { sections[move.to] = .moved }
        for change in stage.sectionUpdated { sections[change.at] = .updated }
    }

    private mutating func noteUpdates(_ updated: Set<RemoteElement.Identity>, in new: [RemoteSection]) {
        guard !updated.isEmpty else { return }
        for (section, content) in new.enumerated() {
            for (position, element) in content.elements.enumerated()
            where updated.contains(element.differenceIdentifier) {
                let path = ElementPath(section: section, element: position)
                // An element that moved as well shows that it moved.
                if elements[path] == nil { elements[path] = .updated }
            }
        }
    }
}
