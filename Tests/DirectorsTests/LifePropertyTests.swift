import JSONValues
import ListDiff
import TestSupport
import Testing

@testable import Directors

/// A director under test; a fault can be planted in any of its parts.
struct Subject {
    var perform: (inout Director, [Directors.Operation]) throws -> Void = { try $0.perform($1) }
    var reload: (inout Director) throws -> PublishedChange? = { try $0.reload() }
    var dryRun: (inout Director, [Directors.Operation]) throws -> PublishedChange? = { try $0.dryRun($1) }
    var change: (Director, PublishedState, PublishedState) -> PublishedChange = { $0.change(from: $1, to: $2) }
}

@Suite("A director's life")
struct LifePropertyTests {
    @Test("random operations do what a naive model does, and each changeset leads to the next published state")
    func lives() throws {
        let seed = SeededGenerator.seedOfRun("lives")
        let failure = try counterexample(seed: seed, runs: 2_500, Subject())
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("so it is in lists of some hundred elements, of which versions share parts")
    func longLives() throws {
        let seed = SeededGenerator.seedOfRun("long lives")
        let failure = try counterexample(seed: seed, runs: 150, isLong: true, Subject())
        #expect(failure == nil, "seed \(seed)")
    }

    @Test("a failed batch of which the beginning stays is caught")
    func plantedHalfBatch() throws {
        var subject = Subject()
        subject.perform = { director, operations in
            for operation in operations { try director.perform([operation]) }
        }
        #expect(try counterexample(seed: 1, runs: 4_000, subject) != nil)
    }

    @Test("a move that misses by one is caught")
    func plantedMove() throws {
        var subject = Subject()
        subject.perform = { director, operations in
            try director.perform(
                operations.map { operation in
                    guard case .elements(let owner, .move(let from, .position(let to), let into)) = operation, to > 0
                    else {
                        return operation
                    }
                    return .elements(of: owner, .move(from: from, to: .position(to - 1), into: into))
                })
        }
        #expect(try counterexample(seed: 2, runs: 4_000, subject) != nil)
    }

    @Test("a changeset that loses a stage is caught")
    func plantedStage() throws {
        var subject = Subject()
        subject.reload = { director in
            guard let change = try director.reload(), change.changeset.stages.count > 1 else { return nil }
            return PublishedChange(
                director: change.director, epoch: change.epoch, from: change.from, version: change.version,
                animations: nil, causes: change.causes,
                changeset: StagedChangeset(stages: change.changeset.stages.dropLast()), counts: change.counts)
        }
        #expect(try counterexample(seed: 3, runs: 4_000, subject) != nil)
    }

    @Test("a dry run that leaves something behind is caught")
    func plantedDryRun() throws {
        var subject = Subject()
        subject.dryRun = { director, operations in
            try director.perform(operations)
            return try director.reload()
        }
        #expect(try counterexample(seed: 4, runs: 4_000, subject) != nil)
    }

    @Test("a reload that loses the values that no adapter looks at is caught")
    func plantedReload() throws {
        var subject = Subject()
        subject.reload = { try $0.reload()?.withoutReplaced }
        #expect(try counterexample(seed: 5, runs: 4_000, subject) != nil)
    }

    @Test("a change over several versions that loses the values that no adapter looks at is caught")
    func plantedSpan() throws {
        var subject = Subject()
        subject.change = { $0.change(from: $1, to: $2).withoutReplaced }
        #expect(try counterexample(seed: 6, runs: 4_000, subject) != nil)
    }

    @Test("a reload that publishes the values that adapters look at alone is caught")
    func plantedContent() throws {
        var subject = Subject()
        subject.reload = { director in
            var copy = director
            guard let change = try copy.reload(), !change.changeset.stages.isEmpty else { return nil }
            return try director.reloadAgain(form: .contentOnly)
        }
        #expect(try counterexample(seed: 7, runs: 4_000, subject) != nil)
    }

    /// Looks for a life that goes wrong and shortens it, step by step.
    func counterexample(
        seed: UInt64, runs: Int, isLong: Bool = false, _ subject: Subject
    ) throws -> String? {
        var generator = StepGenerator(seed: seed, isLong: isLong)
        for _ in 0..<runs {
            var steps = generator.steps()
            guard var fault = try fault(in: steps, subject) else { continue }
            var position = 0
            while position < steps.count {
                var fewer = steps
                fewer.remove(at: position)
                if let smaller = try self.fault(in: fewer, subject) {
                    (steps, fault) = (fewer, smaller)
                } else {
                    position += 1
                }
            }
            return fault + " after\n" + steps.map(\.description).joined(separator: "\n")
        }
        return nil
    }

    private func fault(in steps: [Step], _ subject: Subject) throws -> String? {
        var director = try emptyDirector().value
        var model = NaiveDirector()
        var retained = RetainedVersions()
        for step in steps {
            switch step {
            case .perform(let operations):
                if let fault = fault(performing: operations, &director, &model, subject) { return fault }
            case .reload:
                if let fault = fault(reloading: &director, model, subject) { return fault }
                retained.append(director)
                if let fault = retained.fault(in: director, subject.change) { return fault }
            case .look(let sight):
                try director.register(adapter(looking: sight))
            }
            for list in [director.working.list, director.published.list, director.reloaded] {
                if let fault = list.brokenInvariants.first { return fault }
            }
        }
        return nil
    }

    private func adapter(looking sight: NaiveDirector.Sight) -> CellAdapter {
        let content: [JSONPointer]? =
            switch sight {
            case .all: nil
            case .n: [JSONPointer(tokens: ["n"])]
            case .nothing: []
            }
        return CellAdapter(model: "Item", cell: "ItemCell", content: content)
    }

    private func fault(
        performing operations: [Directors.Operation], _ director: inout Director, _ model: inout NaiveDirector,
        _ subject: Subject
    ) -> String? {
        let before = director.traces
        let foreseen = try? subject.dryRun(&director, operations)
        guard director.traces == before else { return "a dry run has changed the director" }
        let isTaken = (try? model.perform(operations)) != nil
        do {
            try subject.perform(&director, operations)
            guard isTaken else { return "operations were taken that the model refuses" }
            guard director.revision == before.working.revision + 1 else { return "the revision did not rise by one" }
        } catch {
            guard !isTaken else { return "operations were refused that the model takes: \(error)" }
            guard director.traces == before else { return "a failed batch has left a trace" }
        }
        guard parts(director.working.list) == model.parts else { return "the working state differs from the model" }
        guard director.published == before.published else { return "operations have published something" }
        var copy = director
        let published = (try? copy.reload()) ?? nil
        guard !isTaken || published?.changeset == foreseen?.changeset else {
            return "the dry run foresaw another change"
        }
        return nil
    }

    private func fault(reloading director: inout Director, _ model: NaiveDirector, _ subject: Subject) -> String? {
        let before = director.published
        let change: PublishedChange?
        do {
            change = try subject.reload(&director)
        } catch {
            return "the reload fails: \(error)"
        }
        let after = director.published
        guard parts(after.list) == model.visible else { return "the published state differs from the model" }
        guard let change else {
            return after == before ? nil : "a state was published without a change"
        }
        guard (change.from, change.version) == (before.version, before.version + 1), after.version == change.version
        else {
            return "the versions do not follow each other"
        }
        let form = text { change.encode(to: &$0) }
        guard let read = try? PublishedChange.decode(node(form), for: director), read.changeset == change.changeset
        else {
            return "the change is not read as it was written"
        }
        let shown = before.list.array
        guard let replayed = try? shown.applying(change.changeset) else {
            return "the changeset does not fit"
        }
        guard replayed == after.list.array else { return "the changeset leads elsewhere" }
        for update in change.changeset.stages.flatMap(\.elementUpdated) {
            let element = shown[update.at.section].elements[update.at.element]
            if update.element.isContentEqual(to: element) { return "an element is updated that shows the same" }
        }
        guard let animated = try? shown.applying(StagedChangeset(stages: change.changeset.stages)) else {
            return "the stages do not fit without what is replaced"
        }
        for replaced in change.changeset.replaced {
            let element = animated[replaced.at.section].elements[replaced.at.element]
            guard replaced.element.isContentEqual(to: element), replaced.element.value != element.value else {
                return "an element is replaced that is to be updated, or is the same"
            }
        }
        let elements = replayed.reduce(0) { $0 + $1.elements.count }
        return change.counts == ListCounts(sections: replayed.count, elements: elements) ? nil : "the counts are wrong"
    }

    private func parts(_ list: ListState) -> [NaiveDirector.Part] {
        list.sections.map { section in
            NaiveDirector.Part(
                id: section.identifier, isCollapsed: section.attributes.isCollapsed,
                items: section.list.map { element in
                    let root = element.value.document.root
                    return NaiveDirector.Item(
                        id: element.identifier, n: root["n"]?.int ?? 0, m: root["m"]?.int ?? 0)
                })
        }
    }
}

extension PublishedChange {
    /// The change as it would be if nothing was replaced.
    fileprivate var withoutReplaced: PublishedChange {
        PublishedChange(
            director: director, epoch: epoch, from: from, version: version, animations: animations,
            causes: causes, changeset: StagedChangeset(stages: changeset.stages), counts: counts)
    }
}

extension ListState {
    /// What is wrong with the trees that hold the list.
    fileprivate var brokenInvariants: [String] {
        content.brokenInvariants() + content.flatMap { $0.list.brokenInvariants() }
    }
}
