import ListDiff

/// What is wrong with a changeset, in words.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A model of `performBatchUpdates`: one stage is checked by its rules and replayed, the way UIKit documents it.
///
/// It shares nothing with the library. Everything that leaves is removed from the highest index down, everything that
/// arrives is put in from the lowest index up; that is what "deletes before, inserts after" comes to.
struct BatchUpdateOracle {
    private(set) var list: [Group]
    /// For each section, where it stood in the very first list, or nil if a stage has inserted it.
    private(set) var origins: [Int?]

    init(_ list: [Group]) {
        self.list = list
        origins = Array(list.indices)
    }

    /// Checks that a stage is legal on the list as it is, and replays it.
    mutating func perform(_ stage: Changeset<Group>) throws(Violation) {
        try checkSections(stage)
        try checkElementSources(stage)
        let moved = stage.elementMoved.map { list[$0.from.section].elements[$0.from.element] }
        update(stage)
        removeElements(stage)
        try replaySections(stage)
        try addElements(stage, moved)
    }

    // MARK: - Before the stage

    private func checkSections(_ stage: Changeset<Group>) throws(Violation) {
        let sources = stage.sectionDeleted + stage.sectionMoved.map(\.from) + stage.sectionUpdated.map(\.at)
        for source in sources where source < 0 || source >= list.count {
            throw Violation("section \(source) of \(list.count) is changed")
        }
        if Set(sources).count != sources.count {
            throw Violation("a section has two operations: \(sources)")
        }
        for update in stage.sectionUpdated {
            if update.section.id != list[update.at].id {
                throw Violation("section \(update.at) is updated to another one")
            }
            if !update.section.elements.isEmpty {
                throw Violation("the update of section \(update.at) carries elements")
            }
        }
    }

    private func checkElementSources(_ stage: Changeset<Group>) throws(Violation) {
        let sources = stage.elementDeleted + stage.elementMoved.map(\.from) + stage.elementUpdated.map(\.at)
        // UIKit cannot take changes inside a section that is itself deleted, moved or reloaded at once.
        let closed = stage.sectionDeleted + stage.sectionMoved.map(\.from) + stage.sectionUpdated.map(\.at)
        for source in sources {
            if source.section < 0 || source.section >= list.count {
                throw Violation("\(source) is changed in a list of \(list.count) sections")
            }
            if source.element < 0 || source.element >= list[source.section].elements.count {
                throw Violation("\(source) is changed, of \(list[source.section].elements.count) elements")
            }
            if closed.contains(source.section) {
                throw Violation("\(source) is changed inside a section that is changed itself")
            }
        }
        if Set(sources).count != sources.count {
            throw Violation("an element has two operations: \(sources)")
        }
        for update in stage.elementUpdated
        where update.element.id != list[update.at.section].elements[update.at.element].id {
            throw Violation("\(update.at) is updated to another element")
        }
    }

    // MARK: - Replay

    private mutating func update(_ stage: Changeset<Group>) {
        for update in stage.sectionUpdated {
            list[update.at].content = update.section.content
        }
        for update in stage.elementUpdated {
            list[update.at.section].elements[update.at.element] = update.element
        }
    }

    private mutating func removeElements(_ stage: Changeset<Group>) {
        let leaving = stage.elementDeleted + stage.elementMoved.map(\.from)
        for path in leaving.sorted(by: >) {
            list[path.section].elements.remove(at: path.element)
        }
    }

    private mutating func replaySections(_ stage: Changeset<Group>) throws(Violation) {
        var arriving: [(at: Int, section: Group, origin: Int?)] = []
        for insert in stage.sectionInserted {
            arriving.append((insert.at, insert.section, nil))
        }
        for move in stage.sectionMoved {
            arriving.append((move.to, list[move.from], origins[move.from]))
        }
        for index in (stage.sectionDeleted + stage.sectionMoved.map(\.from)).sorted(by: >) {
            list.remove(at: index)
            origins.remove(at: index)
        }
        var last = -1
        for arrival in arriving.sorted(by: { $0.at < $1.at }) {
            if arrival.at <= last || arrival.at > list.count {
                throw Violation("a section arrives at \(arrival.at) after \(last), of \(list.count)")
            }
            list.insert(arrival.section, at: arrival.at)
            origins.insert(arrival.origin, at: arrival.at)
            last = arrival.at
        }
    }

    private mutating func addElements(_ stage: Changeset<Group>, _ moved: [Item]) throws(Violation) {
        var arriving = stage.elementInserted.map { ($0.at, $0.element) }
        arriving += zip(stage.elementMoved, moved).map { ($0.to, $1) }
        if !arriving.isEmpty && !stage.sectionUpdated.isEmpty {
            throw Violation("elements arrive while a section is reloaded")
        }
        let closed = stage.sectionInserted.map(\.at) + stage.sectionMoved.map(\.to)
        var last: ElementPath?
        for (path, element) in arriving.sorted(by: { $0.0 < $1.0 }) {
            if path.section < 0 || path.section >= list.count || closed.contains(path.section) {
                throw Violation("an element arrives at \(path), where it cannot")
            }
            if path == last || path.element < 0 || path.element > list[path.section].elements.count {
                throw Violation("an element arrives at \(path), of \(list[path.section].elements.count)")
            }
            list[path.section].elements.insert(element, at: path.element)
            last = path
        }
    }
}
