import Notation

/// An in-memory index of the lives that go on: where each stands, and how much of its log no snapshot stands for.
package struct LifeIndex: Sendable {
    /// A life that goes on.
    package struct Life: Sendable, LoggedLife {
        /// Its number in the journal.
        package let id: Int
        /// The director's name.
        package let director: String
        /// Which life of that name.
        package let epoch: String
        /// Which ownership of the life this server writes under.
        package var term = 1
        /// Its term when this node has taken it over, and 0 for a life that was begun here or recovered alone: records that
        /// were made under an earlier ownership are refused.
        package var ownership = 0
        /// The number of its newest record.
        package var number = 0
        /// The bytes of its records that no snapshot stands for.
        package var logBytes = 0
        /// The log's size at which a snapshot is tried again after one has failed.
        package var retryAt = 0
        /// Whether a snapshot is being stored.
        package var isSnapshotting = false
        /// The newest snapshot.
        package var snapshot: Snapshot?
        /// The number of its newest answer.
        package var answer = 0
        /// Its answers that are kept.
        package var answers = KeptAnswers()
        /// Whether another server has taken it.
        package var isTaken = false

        /// Makes a life.
        package init(id: Int, director: String, epoch: String, term: Int = 1, number: Int = 0) {
            (self.id, self.director, self.epoch, self.term, self.number) = (id, director, epoch, term, number)
        }

        /// The director and its epoch.
        package var name: LifeName { LifeName(director: director, epoch: epoch) }

        /// Where the life stands.
        package var head: LifeHead { LifeHead(epoch: epoch, number: number) }

        /// The bytes of its newest snapshot.
        package var snapshotBytes: Int { snapshot?.bytes ?? 0 }
    }

    /// A snapshot that is complete.
    package struct Snapshot: Sendable {
        /// The number of the record that it was made after.
        package let number: Int
        /// Its bytes.
        package let bytes: Int

        /// Makes a snapshot's entry.
        package init(number: Int, bytes: Int) { (self.number, self.bytes) = (number, bytes) }
    }

    /// About how many bytes a row of the log takes besides its payload.
    package static let rowOverhead = 64

    /// The lives by director.
    package private(set) var lives: [Name: Life] = [:]

    /// Makes an index of no lives.
    package init() {}

    /// Adds a life or replaces it.
    package mutating func put(_ life: Life) {
        lives[life.director] = life
    }

    /// Changes the life of an identifier, if it still goes on.
    package mutating func change(_ director: String, id: Int, _ change: (inout Life) -> Void) {
        guard var life = lives[director], life.id == id else { return }
        change(&life)
        lives[director] = life
    }

    /// Removes a life that has ended.
    package mutating func remove(_ life: Life) {
        if lives[life.director]?.id == life.id { lives[life.director] = nil }
    }

    /// The number of the life that a delivery's hook belongs to; nil where it does not go on.
    package func life(of director: String, epoch: String) -> Int? {
        lives[director].flatMap { $0.epoch == epoch ? $0.id : nil }
    }

    /// Why a record does not fit the director's life.
    package func conflict(_ place: RecordPlace, _ life: Life?) -> JournalError {
        if let life, life.isTaken { return Self.taken(life.director) }
        return .superseded(place.conflict(with: life?.head))
    }

    /// Another server has gone on with a life, and nothing is left that tells whether a change of it is stored.
    package static func inDoubt(_ director: String) -> JournalError {
        .inDoubt(
            "another server has taken the director \(director.debugDescription) meanwhile, and the records that would "
                + "show whether the change is stored have been replaced")
    }

    /// Another server has raised the term of a life.
    package static func taken(_ director: String) -> JournalError {
        .superseded("another server has taken the director \(director.debugDescription)")
    }
}
