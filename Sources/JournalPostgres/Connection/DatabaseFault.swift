import Journal

/// The failures between the journal and its database.
enum DatabaseFault: Error, Sendable {
    /// The server has refused a statement: its transaction is undone, and the connection goes on.
    case refused(state: String, message: String)
    /// The connection is gone, or its deadline has passed. Whether what was sent has been done is not known.
    case lost(String)
    /// The connection cannot be made.
    case unreachable(String)
    /// A pooler between does what the journal cannot work with. Sent work is undone, and the connection is given up.
    case pooler(String)
}

extension DatabaseFault {
    /// A sentence without its full stop.
    var description: String {
        switch self {
        case .refused(let state, let message): "\(message) (PostgreSQL \(state))"
        case .lost(let what): "the connection to the database was lost: \(what)"
        case .unreachable(let what): "the database cannot be reached: \(what)"
        case .pooler(let what): what
        }
    }

    /// The SQLSTATE of a statement that was refused; nil for anything else.
    var state: String? {
        guard case .refused(let state, _) = self else { return nil }
        return state
    }

    /// Whether it is a conflict with another transaction, which the server has undone and which may be tried again.
    var isConflict: Bool {
        state.map { ["40001", "40P01", "55P03"].contains($0) } ?? false
    }

    /// Whether it is about what was sent (classes 22, 23 and 54), so that other units of a batch are not concerned.
    var isOfContent: Bool {
        state.map { ["22", "23", "54"].contains($0.prefix(2)) } ?? false
    }
}

extension JournalError {
    /// Makes the error of a journal that cannot be opened: what a pooler does wrong does not pass by itself.
    init(opening error: any Error) {
        if case .pooler(let what)? = error as? DatabaseFault {
            self = .refused(what)
        } else {
            self.init(error)
        }
    }

    /// Makes a journal's error of one of the database or of reading.
    init(_ error: any Error) {
        guard let fault = error as? DatabaseFault else {
            self.init(wrapping: error)
            return
        }
        guard case .refused(let state, _) = fault else {
            self = .unavailable(fault.description)
            return
        }
        self =
            switch state {
            case "53100", "53200": .full(fault.description)
            // Damaged pages, as PostgreSQL's own checksums find them.
            case "XX001", "XX002":
                .damaged(JournalDamage(director: nil, place: "the database", detail: fault.description))
            // The database is well; this one change is not for it.
            case _ where fault.isOfContent: .refused("it cannot be stored: \(fault.description)")
            default: .unavailable(fault.description)
            }
    }
}
