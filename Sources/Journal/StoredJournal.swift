import Directors

/// A journal that keeps its records in a store: the upper of the two levels, which knows what the bytes mean.
///
/// Records are encoded on the caller's thread, so that many event loops share that work; the cost follows the mutation.
package final class StoredJournal: Journal {
    /// The store.
    package let store: any RecordStore

    /// Holds on to the folder's lock for as long as the journal is there.
    private let folder: OpenFolder?

    /// Makes a journal over a store. What is in the store is read by ``Recovery``, before the first append.
    package init(store: any RecordStore) {
        self.store = store
        folder = nil
    }

    /// Makes a journal over the store of a data folder, which is let go when the journal is closed.
    package init(folder: OpenFolder) {
        store = folder.store
        self.folder = folder
    }

    package func append(
        _ record: JournalRecord, completion: @escaping @Sendable (Result<JournalSequence, JournalError>) -> Void
    ) {
        store.append(record.unit) { completion($0.mapError(JournalError.init)) }
    }

    package func append(
        _ records: [JournalRecord],
        completion: @escaping @Sendable (_ first: Int, [Result<JournalSequence, JournalError>]) -> Void
    ) {
        store.append(records.map(\.unit)) { first, results in
            completion(first, results.map { $0.mapError(JournalError.init) })
        }
    }

    package func isSnapshotDue(for director: String) -> Bool {
        store.isSnapshotDue(for: director)
    }

    package func snapshot(_ capture: DirectorCapture, after number: Int) {
        snapshot(capture, after: number) {}
    }

    package func isSnapshotWorthwhile(for director: String) -> Bool {
        store.isSnapshotWorthwhile(for: director)
    }

    package func snapshot(
        _ capture: DirectorCapture, after number: Int, completion: @escaping @Sendable () -> Void
    ) {
        let head = SnapshotHead(director: capture.director.name, epoch: capture.director.epoch, number: number)
        store.write(head, from: capture) { _ in completion() }
    }

    package var deliveries: any DeliveryStore { store }

    package var status: JournalStatus { store.status }

    package var metrics: JournalMetrics? { store.metrics }

    package func close() {
        if let folder { folder.close() } else { store.close() }
    }
}

extension JournalRecord {
    /// The record as the store keeps it.
    var unit: StoredUnit {
        var unit = StoredUnit(director: director, epoch: epoch, answer: answer)
        guard !entries.isEmpty else {
            unit.answersAfter = number
            return unit
        }
        var step = StoredStep.goesOn
        if case .deleted? = entries.last {
            step = .ends
        } else if case .defined(let director)? = entries.first, number == 1 || number == nil && director.isNew {
            step = .begins
        }
        unit.record = StoredUnit.Record(step: step, number: number, payload: RecordCoding.encode(entries))
        return unit
    }
}
