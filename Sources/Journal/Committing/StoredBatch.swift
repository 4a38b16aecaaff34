/// The stored part of a batch.
package struct StoredBatch {
    /// Units that are stored.
    package private(set) var units = 0
    /// Records among them that have a row in the log.
    package private(set) var records = 0
    /// The bytes of those records.
    package private(set) var bytes = 0
    /// The directors that have stored a record; one whose records alternate with others' is there more than once.
    package private(set) var directors: [String] = []
    /// Why a unit failed where the medium is the cause; nil where it is not.
    package private(set) var failure: JournalError?

    /// Counts what is stored.
    package init(of settled: [CommitQueue.Outcome]) {
        for outcome in settled { add(outcome) }
    }

    private mutating func add(_ outcome: CommitQueue.Outcome) {
        switch outcome.result {
        case .failure(let error):
            if error.isOfTheMedium { failure = error }
        case .success:
            units += 1
            switch outcome.waiting.unit {
            case .record(let record): add(record)
            case .pair(let first, let second):
                add(first)
                add(second)
            case .deliveries, .tokens, nil: break
            }
        }
    }

    private mutating func add(_ record: EncodedRecord) {
        guard record.place.step != nil else { return }
        records += 1
        bytes += record.payload.count
        if directors.last != record.place.director { directors.append(record.place.director) }
    }
}

extension JournalMetrics {
    /// Counts a batch that was settled in one commit.
    package mutating func count(_ settled: [CommitQueue.Outcome], _ stored: StoredBatch, took: Duration) {
        failures += settled.count - stored.units
        guard stored.units > 0 else { return }
        commits += 1
        records += stored.records
        recordBytes += stored.bytes
        batchSize.record(settled.count)
        commitMicroseconds.record(Int(took / .microseconds(1)))
    }
}

extension JournalError {
    /// Whether it is a failure of the medium rather than of the request.
    package var isOfTheMedium: Bool {
        switch self {
        case .full, .unavailable, .damaged: true
        case .superseded, .inDoubt, .refused: false
        }
    }
}
