import DirectorLife

/// A journal that commits units one thread gathers: records, deliveries and tokens alike.
package protocol UnitJournal: RecoverableJournal {
    /// Appends units; the completion is called as that of ``Journal/append(_:completion:)-([LifeRecord],_)``.
    func append(_ units: [CommitUnit], completion: @escaping CommitQueue.Completion)
}

extension UnitJournal {
    /// Appends a record as a unit.
    package func append(
        _ record: LifeRecord, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        append([.record(EncodedRecord(record))]) { _, results in
            for result in results { completion(result.mapError(StorageError.init)) }
        }
    }

    /// Appends two records as one unit.
    package func append(
        _ first: LifeRecord, with second: LifeRecord,
        completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
    ) {
        append([.pair(EncodedRecord(first), EncodedRecord(second))]) { _, results in
            for result in results { completion(result.mapError(StorageError.init)) }
        }
    }

    /// Appends each record as a unit.
    package func append(
        _ records: [LifeRecord], completion: @escaping @Sendable (_ first: Int, [Result<Void, StorageError>]) -> Void
    ) {
        append(records.map { .record(EncodedRecord($0)) }) { first, results in
            completion(first, results.map { $0.mapError(StorageError.init) })
        }
    }
}
