import Foundation
import Metrics

/// Whether a journal can store records.
package enum JournalStatus: Sendable, Hashable {
    /// The last attempt to store something succeeded.
    case ok
    /// Storing fails, for this reason and since this moment.
    case failing(reason: String, since: Date)
}

/// A journal's counts since it was opened, and its size.
package struct JournalMetrics: Sendable, Hashable {
    /// Commits of records and answers.
    package var commits = 0
    /// Records that were stored.
    package var records = 0
    /// The bytes of those records.
    package var recordBytes = 0
    /// Units that failed or were refused.
    package var failures = 0
    /// Commits of which it was not known for a while whether they are stored: the connection to a database was lost.
    package var doubts = 0
    /// Connections to a database that were made after the first.
    package var reconnects = 0
    /// Records that were not stored since another writer has taken their life.
    package var fenced = 0
    /// Snapshots that were completed.
    package var snapshots = 0
    /// Records that were dropped because they are no longer needed.
    package var prunedRecords = 0
    /// How long commits took, from taking the batch until it was on disk, in microseconds.
    package var commitMicroseconds = Histogram(
        .microseconds,
        bounds: [
            50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
        ])
    /// How many units went into one commit.
    package var batchSize = Histogram(.count, bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    /// Units that wait at this moment.
    package var waiting = 0
    /// The bytes of the database and its write-ahead log, as the file system has them; 0 in memory.
    package var bytesOnDisk = 0

    /// Nothing done yet.
    package init() {}
}

extension JournalMetrics {
    /// Writes the journal's part of the `/metrics` page.
    package func write(to text: inout MetricsText, status: JournalStatus) {
        text.single(
            "callboard_journal_up", .gauge, "1 while changes can be stored, 0 while storing fails.",
            status == .ok ? 1 : 0)
        text.single("callboard_journal_commits_total", .counter, "Commits of records and answers.", commits)
        text.single("callboard_journal_records_total", .counter, "Records stored.", records)
        text.single("callboard_journal_record_bytes_total", .counter, "Bytes of the records stored.", recordBytes)
        text.single(
            "callboard_journal_failures_total", .counter, "Changes that were refused or could not be stored.", failures
        )
        text.single(
            "callboard_journal_doubts_total", .counter,
            "Commits of which it was not known for a while whether they are stored.", doubts)
        text.single(
            "callboard_journal_reconnects_total", .counter, "Connections to the database made after the first.",
            reconnects)
        text.single(
            "callboard_journal_fenced_total", .counter,
            "Records that were not stored since another node has taken their director.", fenced)
        text.single("callboard_journal_snapshots_total", .counter, "Snapshots completed.", snapshots)
        text.single(
            "callboard_journal_pruned_records_total", .counter, "Records dropped because a snapshot stands for them.",
            prunedRecords)
        text.single("callboard_journal_waiting", .gauge, "Changes that wait to be stored at this moment.", waiting)
        text.single(
            "callboard_journal_size_bytes", .gauge, "The database and its write-ahead log, on disk.", bytesOnDisk)
        text.begin("callboard_journal_commit_seconds", .histogram, "Time of a commit, until it is on disk.")
        text.histogram("callboard_journal_commit_seconds", [], commitMicroseconds)
        text.begin("callboard_journal_batch_size", .histogram, "Changes that one commit took.")
        text.histogram("callboard_journal_batch_size", [], batchSize)
    }
}
