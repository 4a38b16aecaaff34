#if !canImport(AppKit)
    import AppKitDouble
    import Foundation
    import ListDiff
    import Testing

    @testable import ListDiffTesting

    /// The doubles notice what AppKit would raise an exception for: without that, the other tests would say little.
    @Suite("The doubles of AppKit's views notice faults") @MainActor
    struct AppKitDoubleTests {
        private let sections = [Group(1, ids: [1, 2]), Group(2, ids: [3])]

        @Test(
            "A table notices a wrong index, and rows that are not those of the data",
            arguments: [
                { $0.removeRows(at: [3]) }, { $0.insertRows(at: [4]) }, { $0.moveRow(at: 0, to: 3) },
                { $0.reloadData(forRowIndexes: [3], columnIndexes: [0]) },
                { $0.reloadData(forRowIndexes: [0], columnIndexes: [2]) }, { $0.removeRows(at: [0]) },
                { $0.reloadData() }, { $0.endUpdates() },
            ] as [@Sendable @MainActor (NSTableView) -> Void])
        func table(_ fault: @Sendable @MainActor (NSTableView) -> Void) {
            let data = TableData(sections)
            data.table.beginUpdates()
            fault(data.table)
            data.table.endUpdates()
            #expect(data.table.violations.count == 1)
        }

        @Test("A table notices data that change outside an update")
        func early() {
            let data = TableData(sections)
            data.set([])
            data.table.beginUpdates()
            data.table.removeRows(at: [0, 1, 2])
            data.table.endUpdates()
            #expect(data.table.violations.count == 1)
        }

        @Test(
            "A collection notices a wrong place, two operations in one place, and counts that do not come out",
            arguments: [
                { $0.deleteItems(at: [[0, 2]]) }, { $0.insertItems(at: [[1, 1]]) }, { $0.deleteSections([0]) },
                { $0.moveSection(0, toSection: 2) }, { $0.reloadItems(at: [[2, 0]]) }, { $0.reloadData() },
                {
                    $0.reloadSections([0])
                    $0.reloadItems(at: [[0, 0]])
                },
                {
                    $0.moveItem(at: [0, 0], to: [0, 1])
                    $0.moveItem(at: [0, 1], to: [0, 1])
                },
            ] as [@Sendable @MainActor (NSCollectionView) -> Void])
        func collection(_ fault: @escaping @Sendable @MainActor (NSCollectionView) -> Void) {
            let data = CollectionData(sections)
            data.collection.performBatchUpdates { fault(data.collection) }
            #expect(data.collection.violations.count == 1)
        }
    }
#endif
