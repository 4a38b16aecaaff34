import CallboardClient
import ListDiff

/// What became of a row in the last change.
enum Mark: Character, Sendable, Equatable {
    case inserted = "+"
    case updated = "~"
    case moved = ">"
    case deleted = "-"
}

/// The marks of one change: which rows of the new list are new, changed or moved, and which rows are gone.
struct ListMarks: Sendable, Equatable {
    /// An element that is gone, with where it stood.
    struct Ghost: Sendable, Equatable {
        let section: String
        let position: Int
        let element: RemoteElement
    }

    /// The marks of elements by their place in the new list.
    private(set) var elements: [ElementPath: Mark] = [:]
    /// The marks of sections by identifier.
    private(set) var sections: [String: Mark] = [:]
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
        guard let states = try? changeset.stages.states(from: old) else { return }
        var before = old
        var updated: Set<RemoteElement.Identity> = []
        for (stage, after) in zip(changeset.stages.stages, states) {
            updated.formUnion(stage.elementUpdated.map(\.element.differenceIdentifier))
            noteDeletions(stage, before)
            for change in stage.sectionInserted { sections[change.section.id] = .inserted }
            for move in stage.sectionMoved where after.indices.contains(move.to) {
                sections[after[move.to].id] = .moved
            }
            for change in stage.sectionUpdated { sections[change.section.id] = .updated }
            // Nothing after this stage moves an element, so its targets are places in the new list.
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
                section: before[path.section].id, position: path.element,
                element: before[path.section].elements[path.element])
        }
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
