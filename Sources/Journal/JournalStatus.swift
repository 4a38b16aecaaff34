import Foundation

/// Whether a journal can store records.
package enum JournalStatus: Sendable, Hashable {
    /// The last attempt to store something succeeded.
    case ok
    /// Storing fails, for this reason and since this moment.
    case failing(reason: String, since: Date)
}

/// What a journal has done since it was opened, and how much it holds.
package struct JournalMetrics: Sendable, Hashable {
    /// Commits of records and answers.
    package var commits = 0
    /// Records that were stored.
    package var records = 0
    /// The bytes of those records.
    package var recordBytes = 0
    /// Units that failed or were refused.
    package var failures = 0
    /// Snapshots that were completed.
    package var snapshots = 0
    /// Records that were dropped because they are no longer needed.
    package var prunedRecords = 0
    /// How long commits took, from taking the batch until it was on disk, in microseconds.
    package var commitMicroseconds = Histogram(bounds: [
        50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    ])
    /// How many units went into one commit.
    package var batchSize = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    /// Units that wait at this moment.
    package var waiting = 0
    /// The bytes of the database and its write-ahead log, as the file system has them; 0 in memory.
    package var bytesOnDisk = 0

    /// Nothing done yet.
    package init() {}
}

/// Counts numbers by size.
package struct Histogram: Sendable, Hashable {
    /// The upper bounds of the buckets, ascending; one more bucket takes what is above the last.
    package let bounds: [Int]
    /// How many numbers fell into each bucket: those not above its bound and above the one before.
    package private(set) var counts: [Int]
    /// The sum of all numbers.
    package private(set) var sum = 0

    /// Makes an empty histogram.
    package init(bounds: [Int]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// How many numbers there were.
    package var count: Int { counts.reduce(0, +) }

    /// Counts a number.
    package mutating func record(_ number: Int) {
        let bucket = bounds.firstIndex { number <= $0 } ?? bounds.count
        counts[bucket] += 1
        sum += number
    }
}
