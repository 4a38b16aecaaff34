import DirectorLife
import Directors
import Journal

/// How a journal in a PostgreSQL database works.
package struct PostgresSettings: Sendable {
    /// A snapshot is due once a director's log is larger than this many bytes and than its last snapshot.
    package var snapshotThreshold = 8 << 20
    /// The most units that wait to be stored; beyond it, appends are refused as unavailable.
    package var queue = CommitBound(count: 65_536, bytes: 128 << 20)
    /// The most that one commit takes.
    package var batch = CommitBound(count: 4096, bytes: 16 << 20)
    /// The answers of one director's life that are kept; beyond it, the oldest are forgotten.
    package var answers = CommitBound(count: 4096, bytes: 16 << 20)
    /// How long changes wait for a database that is away; after that they are refused until it is back.
    package var patience = Duration.seconds(10)
    /// How long a connection may take to be made, for each host.
    package var connectDeadline = Duration.seconds(5)
    /// How long a commit or a row may take; after that the connection is given up, and a commit is in doubt.
    package var deadline = Duration.seconds(30)
    /// How long after a failure it is tried again.
    package var retryDelay = Duration.milliseconds(250)
    /// How long the server has the database without renewing its lease.
    package var lease = Duration.seconds(8)
    /// How often the lease is renewed.
    package var renewal = Duration.seconds(2)
    /// Whether a database without synchronous standbys is refused.
    package var requiresSynchronousStandby = false
    /// Whether damaged rows of notifications, tokens and answers are moved out of the way when the journal is opened.
    package var setsAside = false
    /// The server's name for other servers that find the database taken.
    package var name = "callboard"
    /// The program's version, for people.
    package var program = ""
    /// How the database is shared with other nodes; nil for a server that has it for itself.
    package var sharing: SharingSettings?
    /// The clock by which notifications are due here.
    package var wallClock: @Sendable () -> WallTime = StoreClock.wallTime
    /// Told, once, why opening waits: a sentence without its full stop. Called on the thread that opens.
    package var willWait: @Sendable (String) -> Void = { _ in }
    /// Whether appends look at the term and the head of their life; false only in the test that shows what that is for.
    var isFenced = true

    /// The largest record, in bytes: PostgreSQL takes messages of one GiB, which have to hold a batch in addition.
    package static let maximumRecord = 256 << 20

    /// Makes the defaults.
    package init() {}
}
