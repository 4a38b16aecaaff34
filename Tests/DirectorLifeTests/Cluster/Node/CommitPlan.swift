import Journal

/// A life as its writer knows it.
struct IndexedLife {
    let id: Int
    let name: LifeName
    var term = 1
    /// Its term when this node has taken it over; 0 where it was begun here.
    var ownership = 0
    /// The numbers of its newest record and answer.
    var number = 0
    var answer = 0
    /// Whether another node has taken it.
    var isTaken = false

    var head: LifeHead { LifeHead(epoch: name.epoch, number: number) }
}

/// What one transaction stores of a batch.
struct CommitPlan {
    /// What it stores of one life.
    struct Part {
        /// The life as it stands afterwards, and the number of its newest record before.
        var life: IndexedLife
        let before: Int
        let isNew: Bool
        var isEnded = false
        var changes: [Change] = []
        var answers: [Content.Answer] = []
    }

    /// Whether a command that was made under an earlier ownership is refused.
    let checksOwnership: Bool
    private(set) var parts: [String: Part] = [:]
    /// The commands that were taken, each with its life; nil for one that does not fit.
    private(set) var results: [(change: Change, life: Int?)] = []

    init(checksOwnership: Bool) { self.checksOwnership = checksOwnership }

    /// Whether the fence of its node is part of it.
    var isCounted: Bool { parts.values.contains { $0.isNew || !$0.answers.isEmpty } }

    /// Adds a command.
    ///
    /// - Returns: False for one that has to wait for another transaction.
    mutating func add(_ change: Change, _ index: [String: IndexedLife], newLife: () -> Int) -> Bool {
        let place = RecordPlace(of: change.record)
        let planned = parts[place.director]
        if place.step == .begins, planned?.isEnded == true { return false }
        let found = planned.map { $0.isEnded ? nil : $0.life } ?? index[place.director]
        let isOfOwner = !checksOwnership || change.record.ownership == found?.ownership ?? 0
        guard isOfOwner, place.isNext(after: found?.head), found?.isTaken != true else {
            results.append((change, nil))
            return true
        }
        var part =
            planned
            ?? found.map { Part(life: $0, before: $0.number, isNew: false) }
            ?? Part(life: IndexedLife(id: newLife(), name: change.life), before: 0, isNew: true)
        part.changes.append(change)
        if place.step != nil {
            part.life.number += 1
            part.isEnded = place.step == .ends
        }
        if change.record.answer != nil, place.step != .ends {
            part.life.answer += 1
            part.answers.append(Content.Answer(id: part.life.answer, change: change))
        }
        results.append((change, part.life.id))
        parts[place.director] = part
        return true
    }
}
