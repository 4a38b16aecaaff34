import Directors
import Journal
import Notation

/// A life that cannot be read here: damaged, or of a kind that a newer program has written.
struct UnreadableLife {
    let name: LifeName
    /// When it is read again.
    var retryAt: ContinuousClock.Instant
}

// One life that cannot be read is set aside, and everything else goes on.
extension LifeFollower {
    /// Whether a life is not read now, since it could not be a moment ago.
    func isSetAside(_ row: LifeRow) -> Bool { unreadable[row.id].map { .now < $0.retryAt } ?? false }

    /// Reads lives together. If that fails by what is stored, reads each by itself and sets aside those that cannot be read.
    ///
    /// - Throws: What goes wrong with the database or the connection.
    func readEach<Item>(_ items: [Item], _ row: (Item) -> LifeRow, _ read: ([Item]) throws -> Void) throws {
        let items = items.filter { !isSetAside(row($0)) }
        guard !items.isEmpty else { return }
        do {
            try read(items)
        } catch {
            guard Self.isOfContent(error) else { throw error }
            // What was being read is left in the middle.
            connection = nil
            _ = try connect()
            if items.count == 1 { return setAside(row(items[0]), JournalError(error).description) }
            for item in items { try readEach([item], row, read) }
        }
    }

    /// Whether an error is about what is stored, and not about the database or the way to it.
    private static func isOfContent(_ error: any Error) -> Bool {
        guard error is DatabaseFault || error is JournalError else { return true }
        return switch JournalError(error) {
        case .damaged, .refused: true
        case .full, .unavailable, .superseded, .inDoubt: false
        }
    }

    private func setAside(_ row: LifeRow, _ reason: String) {
        directory.setAside(row)
        note(unreadable: row.id, row.name, reason)
    }

    private func note(unreadable id: Int, _ name: LifeName, _ reason: String) {
        unreadable[id] = UnreadableLife(name: name, retryAt: .now + sharing.unreadableRetry)
        observer?.setAside(name, because: reason)
    }

    /// Takes note that a life was read, or that there is none any more.
    func noteReadable(_ id: Int) {
        guard let life = unreadable.removeValue(forKey: id) else { return }
        observer?.setAside(life.name, because: nil)
    }

    /// Reads lives again that could not be read a while ago.
    func retryUnreadable() throws {
        for (id, life) in unreadable where life.retryAt <= .now {
            if let row = directory.lives[id]?.row { try load([row]) } else { noteReadable(id) }
        }
    }

    /// The rows of a look. A damaged row stands as it was read last; its life is set aside, unless this node writes it.
    func rows(_ result: DatabaseResult) throws -> [LifeRow] {
        try result.rows.compactMap { row in
            do {
                return try LifeRow(row)
            } catch let damage as JournalDamage {
                guard let id = try? row.integer(0, damage.place) else { throw damage }
                let known = directory.lives[id]
                if let known, known.standing == .owned || known.standing == .releasing { return known.row }
                if let known {
                    setAside(known.row, damage.description)
                } else if let director = try? row.text(1, damage.place) {
                    note(unreadable: id, LifeName(director: director, epoch: ""), damage.description)
                }
                return known?.row
            }
        }
    }
}
