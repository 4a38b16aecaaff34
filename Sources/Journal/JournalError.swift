import DirectorLife
import Directors

/// Why a journal cannot be opened, read, copied or written to.
package enum JournalError: Error, Sendable, Hashable {
    /// There is no room left; it works again once there is.
    case full(String)
    /// The journal cannot be written to or read now: an I/O error, a queue at its bound, a journal that is closed.
    case unavailable(String)
    /// A record or a snapshot does not fit the life that is stored.
    case superseded(String)
    /// Whether something is stored is not known, and will not be known.
    case inDoubt(String)
    /// The stored bytes are not the written ones.
    case damaged(JournalDamage)
    /// The data cannot be used as they are: locked by another process, of a newer schema, or something else's.
    case refused(String)
}

extension JournalError: CustomStringConvertible {
    /// A sentence without its full stop.
    package var description: String {
        switch self {
        case .full(let what), .unavailable(let what), .superseded(let what), .inDoubt(let what), .refused(let what):
            what
        case .damaged(let damage): damage.description
        }
    }
}

extension JournalError {
    /// The journal has been closed.
    package static let closed = JournalError.unavailable("the journal is closed")

    /// Makes a journal's error of any error that reading one throws; what is unknown counts as unavailable.
    package init(wrapping error: any Error) {
        switch error {
        case let error as JournalError: self = error
        case let damage as JournalDamage: self = .damaged(damage)
        default: self = .unavailable("\(error)")
        }
    }
}

extension StorageError {
    /// The meaning of a journal's error for the caller that appended the record.
    package init(_ error: JournalError) {
        switch error {
        case .full(let what): self = .full(what)
        case .superseded(let what): self = .superseded(what)
        case .inDoubt(let what): self = .inDoubt(what)
        case .unavailable, .damaged, .refused: self = .unavailable(error.description)
        }
    }
}

extension DeliveryStoreError {
    /// The meaning of a journal's error for the caller whose deliveries they are.
    package init(_ error: JournalError) {
        switch error {
        case .full(let what): self = .full(what)
        case .damaged(let damage): self = .damaged(damage.description)
        case .unavailable, .superseded, .inDoubt, .refused: self = .unavailable(error.description)
        }
    }
}

/// A place in a journal where what is stored is not what was written.
package struct JournalDamage: Error, Sendable, Hashable, CustomStringConvertible {
    /// The director that it belongs to; nil where that cannot be told.
    package let director: String?
    /// Its place: a table and the number of a row, or the file.
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
