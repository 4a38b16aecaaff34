/// Why a store did not do what it was asked for.
package enum StoreError: Error, Sendable, Hashable {
    /// There is no room left; when there is, it works again.
    case full(String)
    /// The store cannot be written to or read now: an I/O error, a queue at its bound, a store that is closed.
    case unavailable(String)
    /// The record is not the one that comes next in its director's life.
    case conflict(StoreConflict)
    /// What was asked for has been pruned: begin with a snapshot.
    case pruned(String)
    /// What is stored is not what was written.
    case damaged(JournalDamage)
    /// The data folder cannot be used as it is: locked by another process, of a newer schema, or something else's.
    case refused(String)
}

extension StoreError: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .full(let what), .unavailable(let what), .pruned(let what), .refused(let what): what
        case .conflict(let conflict): conflict.description
        case .damaged(let damage): damage.description
        }
    }
}

/// What stands in the way of a record: the director's life is somewhere else than its writer believed.
package struct StoreConflict: Sendable, Hashable, CustomStringConvertible {
    /// The director's name.
    package let director: String
    /// Which life of that name is stored as the one that goes on; nil where none does.
    package let epoch: String?
    /// The number of the newest record of that life, 0 for none.
    package let number: Int

    /// Pairs a name with where its life stands.
    package init(director: String, epoch: String?, number: Int) {
        self.director = director
        self.epoch = epoch
        self.number = number
    }

    /// Where the life stands, in words.
    package var description: String {
        guard let epoch else { return "the journal holds no director \(director.debugDescription)" }
        return "the journal's last record of the director \(director.debugDescription) is number \(number) of \(epoch)"
    }
}

/// A place in a journal where what is stored is not what was written.
package struct JournalDamage: Error, Sendable, Hashable, CustomStringConvertible {
    /// The director that it belongs to; nil where that cannot be told.
    package let director: String?
    /// Where it stands: a table and the number of a row, or the file.
    package let place: String
    /// What is wrong there.
    package let detail: String

    /// Names a place and what is wrong with it.
    package init(director: String?, place: String, detail: String) {
        self.director = director
        self.place = place
        self.detail = detail
    }

    /// All three in a sentence without its full stop.
    package var description: String {
        let whose = director.map { " of the director \($0.debugDescription)" } ?? ""
        return "\(place)\(whose) is damaged: \(detail)"
    }
}
