import ListDiff

@testable import ListDiffTesting

/// A section whose elements are a persistent list, and which shows none of them while it is collapsed.
struct Shelf: PersistentSection, Sendable {
    typealias Element = Item

    var id: Int
    var title: Int
    var list: PersistentList<Item>
    var isCollapsed = false

    init(_ id: Int, _ list: PersistentList<Item>, title: Int = 0) {
        self.id = id
        self.list = list
        self.title = title
    }

    init(_ group: Group) {
        self.init(group.id, PersistentList(group.elements), title: group.content)
    }

    init(copying section: Self, content: PersistentList<Item>) {
        self.init(section.id, content, title: section.title)
    }

    var differenceIdentifier: Int { id }

    var content: PersistentList<Item> { isCollapsed ? [] : list }

    func isContentEqual(to source: Self) -> Bool {
        title == source.title
    }

    /// The section as the oracle knows it: what it shows.
    var plain: Group {
        Group(id, Array(content), content: title)
    }
}

extension Shelf: SizedListItem {
    var bytes: Int { list.nodeBytes + 100 * list.count }

    func bytesNotShared(with newer: Self) -> Int {
        list.bytesNotShared(with: newer.list)
    }
}

extension PersistentList<Shelf> {
    /// The list as the oracle knows it.
    var plain: [Group] {
        map(\.plain)
    }
}

extension StagedChangeset<Shelf> {
    /// The changeset as the oracle knows it.
    var plain: StagedChangeset<Group> {
        StagedChangeset<Group>(
            stages: stages.map { stage in
                Changeset<Group>(
                    elementUpdated: stage.elementUpdated,
                    sectionDeleted: stage.sectionDeleted,
                    elementDeleted: stage.elementDeleted,
                    sectionInserted: stage.sectionInserted.map { SectionChange(at: $0.at, section: $0.section.plain) },
                    sectionMoved: stage.sectionMoved,
                    elementInserted: stage.elementInserted,
                    elementMoved: stage.elementMoved,
                    sectionUpdated: stage.sectionUpdated.map { SectionChange(at: $0.at, section: $0.section.plain) }
                )
            }, replaced: replaced)
    }
}

extension StagedChangeset<Group> {
    /// The same changeset for persistent lists.
    var persistent: StagedChangeset<Shelf> {
        StagedChangeset<Shelf>(
            stages: stages.map { stage in
                Changeset<Shelf>(
                    elementUpdated: stage.elementUpdated,
                    sectionDeleted: stage.sectionDeleted,
                    elementDeleted: stage.elementDeleted,
                    sectionInserted: stage.sectionInserted.map { SectionChange(at: $0.at, section: Shelf($0.section)) },
                    sectionMoved: stage.sectionMoved,
                    elementInserted: stage.elementInserted,
                    elementMoved: stage.elementMoved,
                    sectionUpdated: stage.sectionUpdated.map { SectionChange(at: $0.at, section: Shelf($0.section)) }
                )
            }, replaced: replaced)
    }
}
