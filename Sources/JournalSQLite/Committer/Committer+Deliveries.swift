import Directors
import Foundation
import GRDB
import Journal

extension Committer {
    /// Writes changes of deliveries.
    mutating func write(_ changes: [DeliveryChange], _ db: Database) throws {
        rowIndex.counters.deliveries += 1
        for change in changes {
            switch change {
            case .put(let delivery):
                try delivery.insert(db)
            case .remove(let sequence):
                let statement = try DirectStatement(db, "DELETE FROM deliveries WHERE delivery = ?1")
                try statement.bind(sequence, at: 1)
                try statement.run()
            }
        }
    }
}

/// The deliveries of a journal on disk: they share the commits of its records.
struct SQLiteDeliveryStore: DeliveryStore {
    let journal: SQLiteJournal

    func deliveries() throws(DeliveryStoreError) -> [Delivery] {
        do throws(JournalError) {
            return try journal.readDeliveries()
        } catch {
            throw DeliveryStoreError(error)
        }
    }

    func write(
        _ changes: [DeliveryChange], completion: @escaping @Sendable (Result<Void, DeliveryStoreError>) -> Void
    ) {
        journal.append([.deliveries(changes)]) { _, results in
            for result in results { completion(result.mapError(DeliveryStoreError.init)) }
        }
    }
}

extension SQLiteJournal {
    /// All deliveries, ordered by their sequence.
    func readDeliveries() throws(JournalError) -> [Delivery] {
        try read { db in
            guard try CountedTable.deliveries.exists(in: db) else { return [] }
            var deliveries: [Delivery] = []
            let rows = try GRDB.Row.fetchCursor(db, sql: Delivery.selection)
            while let row = try rows.next() { deliveries.append(try Delivery(row)) }
            return deliveries
        }
    }
}

extension Delivery {
    static let columns =
        "delivery, id, hook, created, state, attempts, nextAttempt, lastAttempt, lastError, body, checksum"

    /// Reads all rows of `deliveries`, for ``init(_:)``.
    static let selection = "SELECT \(columns) FROM deliveries ORDER BY delivery"

    /// Reads the row of one delivery.
    static func fetch(_ sequence: Int, _ db: Database) throws -> Delivery? {
        try db.read("SELECT \(columns) FROM deliveries WHERE delivery = ?", [sequence], Delivery.init).first
    }

    /// Reads and checks a row of `deliveries`.
    init(_ row: GRDB.Row) throws {
        let sequence = try row.key(0, "a row of deliveries")
        let place = "delivery \(sequence)"
        let (created, next) = (try row.time(3, perSecond: 1000, place), try row.time(6, perSecond: 1000, place))
        let (code, hook) = (try row.integer(4, place), try row.text(2, place))
        guard let address = HookAddress(hook), let state = State(rawValue: code) else {
            throw JournalDamage(director: nil, place: place, detail: "its hook or its state cannot be read")
        }
        self.init(
            sequence: sequence, id: try row.text(1, place), address: address,
            created: WallTime(milliseconds: created), body: try row.bytes(9, place),
            nextAttempt: WallTime(milliseconds: next))
        self.state = state
        attempts = try row.key(5, place)
        if !row.isNull(7) { lastAttempt = WallTime(milliseconds: try row.time(7, perSecond: 1000, place)) }
        if !row.isNull(8) { lastError = try row.text(8, place) }
        guard try row.integer(10, place) == Checksum.rows.delivery(self) else {
            throw Checksum.rows.fault(place, director: address.director)
        }
    }

    /// Inserts or replaces the row.
    func insert(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO deliveries
                VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?, ?, CAST(? AS TEXT), ?, ?)
                """)
        try statement.execute(arguments: [
            sequence, id.stored, address.description.stored, created.milliseconds, state.rawValue, attempts,
            nextAttempt.milliseconds, lastAttempt?.milliseconds, lastError?.stored, Data(body),
            Checksum.rows.delivery(self),
        ])
    }
}
