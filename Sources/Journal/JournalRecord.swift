import Directors

/// One step of a director's life, as it is stored: everything that must be there again after a restart.
package enum JournalEntry: Sendable {
    /// The director came into being, or was redefined, in this form.
    case defined(Director)
    /// These operations were accepted and led to this revision; a batch is one entry.
    case performed([Directors.Operation], revision: Int)
    /// A reload published this version, with what its caller wished for.
    case published(version: Int, animations: Animations? = nil)
    /// The director is gone, and with it this epoch.
    case deleted
}

/// What one accepted request adds to the journal: it is stored whole or not at all.
package struct JournalRecord: Sendable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// Which record of that life, from 1.
    ///
    /// A record whose predecessor is not stored is refused, so that of several records under way all fail with the
    /// first. One without entries, which keeps an answer only, bears the number of the record before it, and is refused
    /// where another one is the newest. Nil checks nothing.
    package let number: Int?
    /// The steps, in the order in which they happened; none where only an answer is to be kept.
    package let entries: [JournalEntry]
    /// The answer that a repeated request is to be given.
    package let answer: StoredAnswer?

    /// Makes a record of steps that belong together.
    package init(
        director: String, epoch: String, entries: [JournalEntry], number: Int? = nil, answer: StoredAnswer? = nil
    ) {
        self.director = director
        self.epoch = epoch
        self.number = number
        self.entries = entries
        self.answer = answer
    }
}

/// Where in the journal a record stands: 1 for the first, without gaps.
package struct JournalSequence: Sendable, Hashable, Comparable {
    /// The number; 0 means before the first record.
    package let value: UInt64

    /// Makes a sequence number.
    package init(_ value: UInt64) {
        self.value = value
    }

    /// Orders by time of storing.
    package static func < (one: JournalSequence, other: JournalSequence) -> Bool {
        one.value < other.value
    }
}
