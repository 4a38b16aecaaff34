#if !canImport(AppKit)
    import AppKitDouble
    import Foundation
    import ListDiff
    import ListDiffAppKit
    import Testing

    @testable import ListDiffTesting

    /// What `reload` does beside the change itself.
    @Suite("AppKit's views and a change") @MainActor
    struct AppKitReloadTests {
        private let source = [Group(1, ids: [1, 2, 3]), Group(2, ids: [4, 5])]
        private let target = [Group(2, ids: [5, 6]), Group(1, ids: [3, 1, 4])]
        private var changeset: StagedChangeset<Group> { StagedChangeset(from: source, to: target) }

        @Test("A view in no window sets the last state once and loads everything anew")
        func withoutWindow() throws {
            let (table, collection) = (TableData(source, inWindow: false), CollectionData(source, inWindow: false))
            try table.table.reload(using: changeset, from: source) { table.set($0) }
            try collection.collection.reload(using: changeset, from: source) { collection.set($0) }
            expectReloaded(table, collection)
        }

        @Test("A change that is interrupted sets the last state once and loads everything anew")
        func interrupted() throws {
            let (table, collection) = (TableData(source), CollectionData(source))
            let count = changeset.stages.count
            let isLarge = { (changeset: StagedChangeset<Group>) in changeset.stages.count == count }
            try table.table.reload(using: changeset, from: source, interrupt: isLarge) { table.set($0) }
            try collection.collection.reload(using: changeset, from: source, interrupt: isLarge) { collection.set($0) }
            expectReloaded(table, collection)
        }

        private func expectReloaded(_ table: TableData, _ collection: CollectionData) {
            #expect(table.sections == target && table.isRight && table.settings == 1)
            #expect(table.table.violations == [] && table.table.updates == 0 && table.table.reloads == 2)
            #expect(collection.sections == target && collection.isRight && collection.settings == 1)
            #expect(collection.collection.violations == [])
            #expect(collection.collection.batches == 0 && collection.collection.reloads == 2)
        }

        @Test("A changeset that does not begin at the data is refused, and nothing is shown or set")
        func misfit() throws {
            let (table, collection) = (TableData([]), CollectionData([]))
            #expect(throws: ChangesetError.self) {
                try table.table.reload(using: changeset, from: []) { table.set($0) }
            }
            #expect(throws: ChangesetError.self) {
                try collection.collection.reload(using: changeset, from: []) { collection.set($0) }
            }
            #expect(table.settings == 0 && table.table.updates == 0 && table.table.reloads == 1)
            #expect(collection.settings == 0 && collection.collection.batches == 0)
        }

        @Test("What is replaced is set after the last stage, and no view is touched")
        func replaced() throws {
            let after = [Group(1, [Item(id: 1, detail: 3), Item(id: 2), Item(id: 3)]), source[1]]
            let (table, collection) = (TableData(source), CollectionData(source))
            let (views, items) = (table.views(0), collection.items)
            let changeset = StagedChangeset(from: source, to: after)
            try table.table.reload(using: changeset, from: source) { table.set($0) }
            try collection.collection.reload(using: changeset, from: source) { collection.set($0) }
            #expect(table.sections == after && table.settings == 1 && table.views(0) == views)
            #expect(collection.sections == after && collection.settings == 1 && collection.items == items)
        }

        @Test(
            "Rows that come and go have the animation of their operation, and one that crosses a border is left alone")
        func animations() throws {
            let animations = TableAnimations(
                [.elementDeleted: .slideLeft, .sectionDeleted: .slideUp, .sectionInserted: .effectGap], others: [])
            let source = [Group(1, ids: [1, 2, 3]), Group(2, ids: [4]), Group(3, ids: [5])]
            let target = [Group(1, ids: [2]), Group(2, ids: [3, 4, 7]), Group(9, ids: [6])]
            let data = TableData(source)
            try data.table.reload(
                using: StagedChangeset(from: source, to: target), from: source, animations: animations
            ) { data.set($0) }
            #expect(data.isRight && data.table.violations == [] && data.table.moves == 0)
            #expect(data.table.animations == [.slideLeft, .slideUp, .effectGap, []])
            #expect(TableAnimations.none[.elementInserted] == [] && TableAnimations()[.sectionDeleted] == .effectFade)
        }

        @Test("A plain list is a table of one section")
        func linear() throws {
            let (before, after) = ([1, 2, 3, 4, 5].map { Item(id: $0) }, [5, 1, 2, 6, 4].map { Item(id: $0) })
            let data = TableData([Group(0, before)])
            try data.table.reload(
                using: StagedChangeset(from: before, to: after), from: [LinearSection(elements: before)]
            ) { data.set([Group(0, $0[0].elements)]) }
            #expect(data.isRight && data.table.violations == [] && data.table.moves == 1)
        }
    }
#endif
