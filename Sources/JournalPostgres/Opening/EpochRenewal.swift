import DirectorLife
import Directors
import Journal

/// Begins another epoch of every director of a database, as restoring a backup does for a data folder.
///
/// After a dump was restored, what was published later is lost, and its version numbers will be given to other lists. A
/// subscriber must not resume from one of those versions; with another epoch it begins anew.
package struct EpochRenewal {
    /// How many directors have another epoch.
    package let directors: Int

    private static let renew = Statement(
        "renew-epochs", [.int8, .int8, .int8, .int8s, .texts, .int8s],
        """
        UPDATE callboard.lives SET epoch = given.epoch, checksum = given.checksum, term = term + 1
        FROM unnest($4::bigint[], $5::text[], $6::bigint[]) AS given (life, epoch, checksum)
        WHERE lives.life = given.life AND \(Statements.condition)
        """)
    private static let readdress = Statement(
        "readdress-deliveries", [.int8, .int8, .int8, .int8s, .texts, .int8s],
        """
        UPDATE callboard.deliveries SET hook = given.hook, checksum = given.checksum
        FROM unnest($4::bigint[], $5::text[], $6::bigint[]) AS given (delivery, hook, checksum)
        WHERE deliveries.delivery = given.delivery AND \(Statements.condition)
        """)

    /// Takes the database as a server does, changes everything in one transaction, and gives the database back.
    ///
    /// - Throws: `JournalError.refused(_:)` where a server or nodes have the database; then nothing has changed.
    package init(_ address: DatabaseAddress, settings: PostgresSettings = PostgresSettings()) throws(JournalError) {
        do {
            var patient = settings
            // Nobody renews the lease: it is given back at the end, and runs out soon where this is broken off.
            patient.lease = .seconds(120)
            patient.sharing = nil
            let opening = try Opening(address, patient, StoreClock.now)
            let connection = opening.connection
            defer { Opening.giveBack(opening.fence, connection, settings) }
            var fence = opening.fence
            fence.unit += 1
            let lives = opening.loaded.index.lives.values.map { (life: $0, epoch: Epoch.random()) }
            let epochs = Dictionary(lives.map { ($0.life.director, $0) }) { first, _ in first }
            var deliveries: [Delivery] = []
            try connection.stream(Delivery.selection(), within: settings.deadline) { row in
                let delivery = try Delivery(row)
                let address = delivery.address
                guard let found = epochs[address.director], found.life.epoch == address.epoch else { return }
                deliveries.append(delivery.readdressed(to: found.epoch))
            }
            var renewed = fence.parameters
            renewed.add(lives.map(\.life.id))
            renewed.add(lives.map(\.epoch))
            renewed.add(lives.map { RowChecksum.life($0.life.id, director: $0.life.director, epoch: $0.epoch) })
            var readdressed = fence.parameters
            readdressed.add(deliveries.map(\.sequence))
            readdressed.add(deliveries.map(\.address.description))
            readdressed.add(deliveries.map(RowChecksum.rows.delivery))
            let results = try connection.run(
                [Statements.fence(fence.parameters), Self.renew(renewed), Self.readdress(readdressed)],
                within: settings.deadline)
            guard results[0].count > 0, results[1].changed == lives.count else {
                throw JournalError.refused("a server was started on the database meanwhile; stop it, and try again")
            }
            directors = lives.count
        } catch {
            throw JournalError(opening: error)
        }
    }
}
