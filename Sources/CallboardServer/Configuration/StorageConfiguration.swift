import Foundation
import Journal
import JournalPostgres
import JournalSQLite

/// The store of directors, and its durability (`data`, `journal.*`).
package struct StorageConfiguration: Sendable {
    /// The data folder (`data`; default `callboard-data` in the folder that the server is started in); `memory` keeps
    /// directors in memory only: they are gone when the server stops.
    package var data = "callboard-data"
    /// The durability of stored records (`journal.durability`, `full` or `normal`; default `full`). `normal` is faster,
    /// and a power cut may lose the last records.
    package var durability = Durability.full
    /// Bytes of a director's log after which a snapshot takes its place (`journal.snapshotBytes`; default 8 MiB); a log
    /// is never cut before it is as large as the last snapshot.
    package var snapshotBytes = 8 << 20
    /// Bytes that the database may have (`journal.maxBytes`; 0, the default, is no bound but the disk's); what would
    /// pass it is answered 507.
    package var maxBytes = 0

    /// A PostgreSQL database that keeps content in place of the data folder (`journal.url`; default none). May hold a
    /// password: it is never shown.
    package var url = ""
    /// Whether a database without a synchronous standby is refused (`journal.requireSynchronousStandby`).
    package var requiresSynchronousStandby = false
    /// How long changes wait for a database that is away before they are refused (`journal.patience`, seconds).
    package var patience = Duration.seconds(10)
    /// Whether damaged rows of notifications, tokens and answers are moved out of the way at the start
    /// (`serve --set-aside`); otherwise one of them keeps the server from starting. No setting: it is said once.
    package var setsAside = false

    /// Makes the defaults: everything is kept, in a folder of its own.
    package init() {}

    /// Whether nothing is kept.
    package var isMemory: Bool { !isDatabase && data == "memory" }

    /// Whether content is kept in a database.
    package var isDatabase: Bool { !url.isEmpty }

    /// The settings of a journal in a database.
    var database: PostgresSettings {
        var settings = PostgresSettings()
        settings.snapshotThreshold = snapshotBytes
        settings.requiresSynchronousStandby = requiresSynchronousStandby
        settings.patience = patience
        settings.setsAside = setsAside
        settings.name = "\(ProcessInfo.processInfo.hostName), process \(ProcessInfo.processInfo.processIdentifier)"
        return settings
    }

    /// The event after which storing works again, for messages.
    var remedy: String { isDatabase ? "it can be written to again" : "there is room again" }

    /// The settings of the journal.
    var journal: SQLiteSettings {
        SQLiteSettings(
            durability: durability, snapshotThreshold: snapshotBytes,
            maximumPages: maxBytes == 0 ? nil : max(64, maxBytes / 4096), setsAside: setsAside)
    }
}
