import Directors

/// One step of a director's life, as it is stored: everything that must be there again after a restart.
package enum LifeEntry: Sendable {
    /// The director was created, or became what the definition says, which led to this revision.
    case defined(Definition, revision: Int)
    /// These operations were accepted and led to this revision; a batch is one entry.
    case performed([Directors.Operation], revision: Int)
    /// A reload published this version, with the animations that its caller asked for.
    case published(version: Int, animations: Animations?, form: PublicationForm = .whole)
    /// The command has this name, for the changeset that shows it. It stands behind the first step of its record, and
    /// before that where the record only publishes.
    case caused(String)
    /// The director was deleted, and this epoch with it.
    case deleted

    /// The director's present definition, as a step that creates or redefines it.
    package static func defined(_ director: Director) -> LifeEntry {
        .defined(Definition(of: director), revision: director.revision)
    }
}

/// One accepted command's addition to a life: it is stored whole or not at all.
package struct LifeRecord: Sendable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// Which record of that life, from 1.
    ///
    /// A record whose predecessor is not stored is refused, so that of several records in flight all fail with the
    /// first. A record without entries only keeps an answer. It has the number of the record before it, and is refused
    /// if that is not the newest one.
    package let number: Int
    /// The steps, in the order in which they happened; none where only an answer is to be kept.
    package let entries: [LifeEntry]
    /// The steps as the journal encodes them; nil where that has not been done yet.
    package let payload: [UInt8]?
    /// The answer that a repetition of the request is given.
    package let answer: StoredAnswer?
    /// The ownership that it was made under, where nodes share the journal; nil where any will do. It is not stored: a
    /// record that still waits when its life was lost and is owned anew is refused.
    package let ownership: Int?

    /// Makes a record of steps that belong together.
    package init(
        director: String, epoch: String, number: Int, entries: [LifeEntry], payload: [UInt8]? = nil,
        answer: StoredAnswer? = nil, ownership: Int? = nil
    ) {
        self.director = director
        self.epoch = epoch
        self.number = number
        self.entries = entries
        self.payload = payload
        self.answer = answer
        self.ownership = ownership
    }
}

/// Why a record was not stored. The command did not happen, except for ``inDoubt(_:)``.
package enum StorageError: Error, Sendable, Hashable {
    /// There is no room left; it works again once there is.
    case full(String)
    /// The store cannot be written to now.
    case unavailable(String)
    /// The record is not its life's next one: another writer has stored one in its place.
    case superseded(String)
    /// Whether it is stored is not known, and will not be known soon.
    case inDoubt(String)
}

extension StorageError: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .full(let what), .unavailable(let what), .superseded(let what), .inDoubt(let what): what
        }
    }
}
