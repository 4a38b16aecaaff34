import Feed
import Foundation
import HTTPServer
import Hosting
import Journal
import JournalPostgres
import JournalSQLite

/// Every setting of a Callboard server, each with its default.
///
/// The names are those of the settings file (`server.host`, `feed.retainedVersions`, …): one nested type for each
/// group of keys. The program fills this in from flags, environment and file; tests make one directly.
package struct CallboardConfiguration: Sendable {
    /// Event loops, each with a thread and a listener of its own (`server.loops`; 0, the default, is one a core).
    package var loops = 0
    /// The hosts that requests may name (`server.allowedHosts`; default `auto`), without ports.
    ///
    /// `auto` is loopback numbers and `localhost`, with the names under it, where the server listens on a loopback address,
    /// and any host elsewhere. A list names what is served besides the loopback names; `*` is any.
    package var allowedHosts = [CallboardConfiguration.automaticHosts]
    /// Listeners, connections, limits and deadlines of the HTTP server.
    package var server: ServerConfiguration
    /// The largest list that `PUT …/content` takes (`server.maxContent`, bytes; default 256 MiB).
    package var maxContent = 256 << 20
    /// The retention of versions for subscribers, and the settings of streams.
    package var feed: FeedConfiguration
    /// Who may use the server.
    package var access = AccessConfiguration()
    /// The TLS settings of the TCP port.
    package var tls = TLSSettings()
    /// How much a token or an address may ask for.
    package var limits = LimitsConfiguration()
    /// Which other web origins may call the API from a browser.
    package var cors: CORSConfiguration
    /// Whether there is a console (`console.enabled`; default `auto`).
    package var console = ConsoleSetting.auto
    /// How much one server takes on before it refuses more.
    package var bounds: DirectorBounds
    /// Where directors are kept.
    package var storage = StorageConfiguration()
    /// How the server shares its database with other nodes.
    package var cluster = ClusterSettings()
    /// How event hooks are called.
    package var hooks = HooksConfiguration()

    /// Makes a configuration; everything left out has its documented default.
    package init(
        server: ServerConfiguration = ServerConfiguration(),
        feed: FeedConfiguration = FeedConfiguration(),
        cors: CORSConfiguration = CORSConfiguration(),
        bounds: DirectorBounds = DirectorBounds()
    ) {
        self.server = server
        self.feed = feed
        self.cors = cors
        self.bounds = bounds
    }

    /// The content that a request with a whole list may have: never more than may be buffered at all.
    var maxList: Int { min(maxContent, server.maxBufferedBytes) }
}

/// Cross-origin access from browsers (`cors.*`).
package struct CORSConfiguration: Sendable {
    /// Origins allowed to read answers, such as `https://app.example` (`cors.origins`; default none, `*` is any).
    package var origins: [String] = []
    /// How long a browser may keep a preflight's answer (`cors.maxAge`, seconds; default 600).
    package var maxAge = Duration.seconds(600)

    /// Makes the defaults: no other origin.
    package init() {}
}

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

/// Bounds on what the server holds (`bounds.*`); a request that would pass one answers 507.
package struct DirectorBounds: Sendable {
    /// Directors on one server (`bounds.directors`; default 10,000).
    package var directors = 10_000
    /// Elements in one director (`bounds.elements`; default 5,000,000).
    package var elements = 5_000_000
    /// Sections in one director (`bounds.sections`; default 1,000,000).
    package var sections = 1_000_000

    /// Makes the defaults.
    package init() {}
}
