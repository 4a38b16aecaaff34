import Access
import DirectorLife
import Directors
import Journal

extension PostgresJournal {
    /// The stored state of the lives that this server owns.
    private var stored: StoredLives<PostgresJournal> {
        thread.committer.withLock { committer in
            StoredLives(
                index: committer.machine.index, scope: .all, now: committer.clock(), bytesOnDisk: 0, reader: self)
        }
    }

    package func lives() throws(JournalError) -> [StoredLife] { try stored.lives() }

    package func readRecords(_ body: ([StoredRecord]) throws -> Void) throws(JournalError) {
        try stored.readRecords(body)
    }

    package func readSnapshot<Result>(
        of director: String, _ body: (SnapshotHead, @escaping ChunkReader) throws -> Result
    ) throws(JournalError) -> Result? {
        try stored.readSnapshot(of: director, body)
    }

    package func answers(of director: String) throws(JournalError) -> [StoredAnswer] {
        try stored.answers(of: director)
    }
}

extension PostgresJournal: RowReader {
    func read(_ call: StatementCall, _ take: (DatabaseRow) throws -> Void) throws(JournalError) {
        do {
            try reader.each(call, take)
        } catch {
            throw JournalError(error)
        }
    }
}

// When notifications are due is stored by the database's clock: the node that takes them over may have another one.
extension PostgresJournal {
    private var clockLead: Duration { shared.withLock { $0.facts.clockLead ?? .zero } }

    fileprivate func byDatabaseClock(_ change: DeliveryChange) -> DeliveryChange {
        guard case .put(var delivery) = change else { return change }
        delivery.nextAttempt = delivery.nextAttempt.advanced(by: .zero - clockLead)
        return .put(delivery)
    }

    /// A stored delivery, due by this machine's clock.
    func here(_ delivery: Delivery) -> Delivery {
        var delivery = delivery
        delivery.nextAttempt = delivery.nextAttempt.advanced(by: clockLead)
        return delivery
    }
}

/// The deliveries of a journal in a database: they share the commits of its records.
struct PostgresDeliveryStore: DeliveryStore {
    let journal: PostgresJournal

    func deliveries() throws(DeliveryStoreError) -> [Delivery] {
        var deliveries: [Delivery] = []
        // A node among several takes them over with their directors.
        guard journal.settings.sharing == nil else { return [] }
        do throws(JournalError) {
            try journal.read(Delivery.selection()) { deliveries.append(try journal.here(Delivery($0))) }
        } catch {
            throw DeliveryStoreError(error)
        }
        return deliveries
    }

    func write(
        _ changes: [DeliveryChange], completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void
    ) {
        journal.append([.deliveries(changes.map(journal.byDatabaseClock))]) { _, results in
            for result in results { completion(result.mapError(DeliveryStoreError.init)) }
        }
    }
}

/// The tokens of a journal in a database: they share the commits of its records.
struct PostgresTokenStore: TokenStore {
    let journal: PostgresJournal

    func tokens() throws(JournalError) -> [TokenEntry] {
        var entries: [TokenEntry] = []
        try journal.read(TokenEntry.selection()) { entries.append(try TokenEntry($0)) }
        return entries
    }

    func write(
        _ changes: [TokenChange], completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        let isNews = changes.contains { if case .used = $0 { false } else { true } }
        journal.append([.tokens(changes)]) { _, results in
            if isNews {
                journal.follower?.forgetTokens()
                journal.hints?.sendAll()
            }
            for result in results { completion(result.mapError(StorageError.init)) }
        }
    }
}
