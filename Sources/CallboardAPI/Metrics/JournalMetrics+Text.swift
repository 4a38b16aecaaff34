import Journal

extension JournalMetrics {
    /// Writes the journal's part of the `/metrics` page.
    func write(to text: inout MetricsText, status: JournalStatus) {
        text.single(
            "callboard_journal_up", "gauge", "1 while changes can be stored, 0 while storing fails.",
            status == .ok ? 1 : 0)
        text.single("callboard_journal_commits_total", "counter", "Commits of records and answers.", commits)
        text.single("callboard_journal_records_total", "counter", "Records stored.", records)
        text.single("callboard_journal_record_bytes_total", "counter", "Bytes of the records stored.", recordBytes)
        text.single(
            "callboard_journal_failures_total", "counter", "Changes that were refused or could not be stored.", failures
        )
        text.single("callboard_journal_snapshots_total", "counter", "Snapshots completed.", snapshots)
        text.single(
            "callboard_journal_pruned_records_total", "counter", "Records dropped because a snapshot stands for them.",
            prunedRecords)
        text.single("callboard_journal_waiting", "gauge", "Changes that wait to be stored at this moment.", waiting)
        text.single(
            "callboard_journal_size_bytes", "gauge", "The database and its write-ahead log, on disk.", bytesOnDisk)
        text.histogram(
            "callboard_journal_commit_seconds", "Time of a commit, until it is on disk.", commitMicroseconds
        ) { MetricsText.seconds(microseconds: $0) }
        text.histogram("callboard_journal_batch_size", "Changes that one commit took.", batchSize) { String($0) }
    }
}

extension MetricsText {
    /// A histogram with its buckets, sum and count.
    fileprivate mutating func histogram(
        _ name: String, _ help: String, _ histogram: Histogram, _ number: (Int) -> String
    ) {
        begin(name, "histogram", help)
        var total = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            sample("\(name)_bucket", [("le", number(bound))], total)
        }
        sample("\(name)_bucket", [("le", "+Inf")], histogram.count)
        sample("\(name)_sum", literal: number(histogram.sum))
        sample("\(name)_count", [], histogram.count)
    }
}
