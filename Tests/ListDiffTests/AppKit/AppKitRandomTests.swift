#if !canImport(AppKit)
    import AppKitDouble
    import Foundation
    import ListDiff
    import ListDiffAppKit
    import TestSupport
    import Testing

    @testable import ListDiffTesting

    /// Random changes in AppKit's tables and collections.
    @Suite("AppKit's views show any change", .timeLimit(.minutes(5))) @MainActor
    struct AppKitRandomTests {
        @Test("A table's rows come to the target, and rows that are kept keep their views")
        func tables() throws {
            var random = SeededGenerator(seed: SeededGenerator.seedOfRun("AppKit's tables"))
            for number in 0..<4_000 * runLength {
                let pair = number % 2 == 0 ? random.pair() : random.distinctPair()
                let data = TableData(pair.source)
                let changeset = StagedChangeset(from: pair.source, to: pair.target)
                let before = data.views(0)
                try data.table.reload(using: changeset, from: pair.source) { data.set($0) }
                try #require(data.table.violations == [], "\(pair)")
                try #require(data.sections == pair.target && data.isRight, "\(pair)")
                try #require(data.settings == changeset.stages.count + (changeset.replaced.isEmpty ? 0 : 1))
                try #require(data.table.updates == changeset.stages.count && data.table.reloads == 1)
                if changeset.count(of: .sectionMoved) == 0 {
                    try #require(data.table.moves <= changeset.count(of: .elementMoved), "\(pair)")
                }
                let loss = try expectedLoss(changeset, pair.source)
                try #require(lost(before, data.views(0)) == loss, "\(pair)")
            }
        }

        @Test("One stage with operations of all kinds at once brings a table's rows to the target")
        func mixedStages() throws {
            var random = SeededGenerator(seed: SeededGenerator.seedOfRun("AppKit's tables, mixed stages"))
            for _ in 0..<4_000 * runLength {
                let source = random.distinctPair().source
                let stage = random.mixedStage(on: source)
                let changeset = StagedChangeset(stages: [stage])
                let data = TableData(source)
                let before = data.views(0)
                try data.table.reload(using: changeset, from: source) { data.set($0) }
                let target = try source.applying(stage)
                try #require(data.table.violations == [], "\(source): \(stage)")
                try #require(data.sections == target && data.isRight, "\(source): \(stage)")
                let loss = try expectedLoss(changeset, source)
                try #require(lost(before, data.views(0)) == loss, "\(source): \(stage)")
            }
        }

        @Test("A collection's items come to the target, and items that are kept stay the same")
        func collections() throws {
            var random = SeededGenerator(seed: SeededGenerator.seedOfRun("AppKit's collections"))
            for number in 0..<4_000 * runLength {
                let pair = number % 2 == 0 ? random.pair() : random.distinctPair()
                let data = CollectionData(pair.source)
                let changeset = StagedChangeset(from: pair.source, to: pair.target)
                let before = data.items.flatMap(\.self)
                try data.collection.reload(using: changeset, from: pair.source) { data.set($0) }
                try #require(data.collection.violations == [], "\(pair)")
                try #require(data.sections == pair.target && data.isRight, "\(pair)")
                try #require(data.settings == changeset.stages.count + (changeset.replaced.isEmpty ? 0 : 1))
                try #require(data.collection.batches == changeset.stages.count && data.collection.reloads == 1)
                let loss = try expectedLoss(changeset, pair.source)
                try #require(lost(before, data.items.flatMap(\.self)) == loss, "\(pair)")
            }
        }

        /// How many of some objects are gone.
        private func lost<Each: AnyObject>(_ before: [Each?], _ after: [Each?]) -> Int {
            let kept = Set(after.compactMap { $0.map { ObjectIdentifier($0) } })
            return before.count { each in each.map { !kept.contains(ObjectIdentifier($0)) } ?? true }
        }

        /// How many of the rows that were there a changeset deletes or loads anew.
        private func expectedLoss(_ changeset: StagedChangeset<Group>, _ source: [Group]) throws -> Int {
            // Each element carries, instead of a detail, a mark that what deletes or updates it takes away.
            var marked = source.map { group in
                Group(group.id, group.elements.map { Item(id: $0.id, content: $0.content, detail: 1) })
            }
            let count = marked.reduce(0) { $0 + $1.elements.count }
            for stage in changeset.stages {
                var stage = stage
                for change in stage.sectionUpdated {
                    for place in marked[change.at].elements.indices { marked[change.at].elements[place].detail = 0 }
                }
                stage.elementUpdated = stage.elementUpdated.map {
                    ElementChange(at: $0.at, element: $0.element.unmarked)
                }
                stage.elementInserted = stage.elementInserted.map {
                    ElementChange(at: $0.at, element: $0.element.unmarked)
                }
                stage.sectionInserted = stage.sectionInserted.map {
                    SectionChange(at: $0.at, section: Group($0.section.id, $0.section.elements.map(\.unmarked)))
                }
                marked = try marked.applying(stage)
            }
            return count - marked.reduce(0) { $0 + $1.elements.count { $0.detail == 1 } }
        }
    }

    extension Item {
        fileprivate var unmarked: Item { Item(id: id, content: content) }
    }
#endif
