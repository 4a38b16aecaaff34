import Directors
import ListDiff

/// One change, made ready before it is timed, and what its changeset has to be.
struct ChangeStep {
    /// What is performed.
    var operations: [Directors.Operation]
    /// How many operations of each kind the changeset has to have.
    var expected: Tally
    /// The place that the element has to come from, or to have, before the change; nil if only its identifier is known.
    var source: ElementPath?
    /// The place that the element has to have after the change.
    var target: ElementPath?
    /// The identifier of the one element that the changeset has to carry.
    var identifier: String?
    /// Whether the change may be empty, or the move of a neighbour: the place of an element that is addressed by its
    /// identifier is unknown, and it may be moved to its own place or the next one.
    var mayStay = false

    /// How many operations of each kind a changeset holds.
    struct Tally: Equatable {
        var updated = 0
        var inserted = 0
        var deleted = 0
        var moved = 0
        var sectionsMoved = 0
        var others = 0
    }

    /// Performs the operations and publishes them: all that is timed.
    @inline(never)
    func perform(on director: inout Director) throws -> PublishedChange? {
        try director.perform(operations)
        return try director.reload()
    }

    /// Ends the program unless the changeset is what it should be.
    func verify(_ change: PublishedChange?, _ name: @autoclosure () -> String) {
        let stages = change?.changeset.stages ?? []
        let updated = stages.flatMap(\.elementUpdated)
        let inserted = stages.flatMap(\.elementInserted)
        let moved = stages.flatMap(\.elementMoved)
        let deleted = stages.flatMap(\.elementDeleted)
        guard Tally(stages) == expected else {
            refute("\(name()): the changeset has \(Tally(stages)), expected \(expected)")
        }
        let sources = updated.map(\.at) + deleted + moved.map(\.from)
        var targets = inserted.map(\.at) + moved.map(\.to)
        if mayStay, let move = moved.first, move.from == target, abs(move.from.element - move.to.element) == 1 {
            // Neighbours that change places: which of the two moves is as good.
            targets = [move.from]
        }
        guard source == nil || sources == [source], target == nil || targets == [target] else {
            refute("\(name()): the changeset is at \(sources), \(targets); expected \(source as Any), \(target as Any)")
        }
        let carried = (updated + inserted).map(\.element.identifier)
        guard identifier == nil || carried == [identifier] else {
            refute("\(name()): the changeset carries \(carried), expected \(identifier as Any)")
        }
    }
}

extension ChangeStep.Tally {
    /// Counts the operations of all stages.
    init(_ stages: [Changeset<Section>]) {
        for stage in stages {
            updated += stage.elementUpdated.count
            inserted += stage.elementInserted.count
            deleted += stage.elementDeleted.count
            moved += stage.elementMoved.count
            sectionsMoved += stage.sectionMoved.count
            others += stage.sectionDeleted.count + stage.sectionInserted.count + stage.sectionUpdated.count
        }
    }
}
