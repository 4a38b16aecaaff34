import Journal
import Notation

/// An in-memory index of the lives that go on: where each stands, and how much of its log no snapshot stands for.
struct LifeIndex {
    /// A life that goes on.
    struct Life {
        let id: Int
        let director: String
        let epoch: String
        /// Which ownership of the life this server writes under.
        var term = 1
        /// Its term when this node has taken it over, and 0 for a life that was begun here or recovered alone: records that
        /// were made under an earlier ownership are refused.
        var ownership = 0
        /// The number of its newest record.
        var number = 0
        /// The bytes of its records that no snapshot stands for.
        var logBytes = 0
        /// The log's size at which a snapshot is tried again after one has failed.
        var retryAt = 0
        var isSnapshotting = false
        var snapshot: Snapshot?
        /// The number of its newest answer.
        var answer = 0
        /// Its answers that are kept.
        var answers = KeptAnswers()
        /// Whether another server has taken it.
        var isTaken = false

        /// The director and its epoch.
        var name: LifeName { LifeName(director: director, epoch: epoch) }

        /// Where the life stands.
        var head: LifeHead { LifeHead(epoch: epoch, number: number) }

        /// Whether a new snapshot should be made.
        func isSnapshotDue(threshold: Int) -> Bool {
            !isSnapshotting && logBytes > max(threshold, snapshot?.bytes ?? 0, retryAt)
        }
    }

    /// A snapshot that is complete.
    struct Snapshot {
        let number: Int
        let bytes: Int
    }

    /// About how many bytes a row of the log takes besides its payload.
    static let rowOverhead = 64

    private(set) var lives: [Name: Life] = [:]

    /// Adds a life or replaces it.
    mutating func put(_ life: Life) {
        lives[life.director] = life
    }

    /// Changes the life of an identifier, if it still goes on.
    mutating func change(_ director: String, id: Int, _ change: (inout Life) -> Void) {
        guard var life = lives[director], life.id == id else { return }
        change(&life)
        lives[director] = life
    }

    /// Removes a life that has ended.
    mutating func remove(_ life: Life) {
        if lives[life.director]?.id == life.id { lives[life.director] = nil }
    }

    /// The number of the life that a delivery's hook belongs to; nil where it does not go on.
    func life(of director: String, epoch: String) -> Int? {
        lives[director].flatMap { $0.epoch == epoch ? $0.id : nil }
    }

    /// Why a record does not fit the director's life.
    func conflict(_ place: RecordPlace, _ life: Life?) -> JournalError {
        if let life, life.isTaken { return Self.taken(life.director) }
        return .superseded(place.conflict(with: life?.head))
    }

    /// Another server has gone on with a life, and nothing is left that tells whether a change of it is stored.
    static func inDoubt(_ director: String) -> JournalError {
        .inDoubt(
            "another server has taken the director \(director.debugDescription) meanwhile, and what tells whether the change is "
                + "stored has been replaced")
    }

    /// Another server has raised the term of a life.
    static func taken(_ director: String) -> JournalError {
        .superseded("another server has taken the director \(director.debugDescription)")
    }
}
