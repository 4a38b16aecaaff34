import DirectorLife
import Directors
import JSONValues
import Journal

extension LifeRecord {
    /// The first record of a life: a table without content.
    package static func begin(
        _ director: String = "contacts", epoch: String = "e1", answer: StoredAnswer? = nil
    ) -> LifeRecord {
        let new = Director(name: director, epoch: epoch, properties: DirectorProperties(defaultsOf: .table))
        return LifeRecord(director: director, epoch: epoch, number: 1, entries: [.defined(new)], answer: answer)
    }

    /// A record that sets a variable to a text; each record after the first raises the revision by one.
    package static func text(
        _ text: String, of director: String = "contacts", epoch: String = "e1", number: Int,
        answer: StoredAnswer? = nil, ownership: Int? = nil
    ) -> LifeRecord {
        LifeRecord(
            director: director, epoch: epoch, number: number,
            entries: [.performed([.setVariable(name: "text", value: .text(text))], revision: number - 1)],
            answer: answer, ownership: ownership)
    }

    /// The last record of a life.
    package static func end(_ director: String = "contacts", epoch: String = "e1", number: Int) -> LifeRecord {
        LifeRecord(director: director, epoch: epoch, number: number, entries: [.deleted])
    }

    /// A record that only keeps an answer, given after the record with this number.
    package static func answer(
        _ answer: StoredAnswer, of director: String = "contacts", epoch: String = "e1", after number: Int
    ) -> LifeRecord {
        LifeRecord(director: director, epoch: epoch, number: number, entries: [], answer: answer)
    }
}

extension LifeState {
    /// The state of a life of ``LifeRecord/begin(_:epoch:answer:)`` and of texts, after the record with this number.
    package static func sample(
        _ director: String = "contacts", epoch: String = "e1", number: Int, text: String = ""
    ) throws -> LifeState {
        var state = Director(name: director, epoch: epoch, properties: DirectorProperties(defaultsOf: .table))
        for _ in 1..<number { try state.perform([.setVariable(name: "text", value: .text(text))]) }
        let versions = VersionHistory(
            first: state.published, adapters: state.adapters, retention: VersionRetention(count: 10, bytes: 1 << 20))
        return LifeState(director: state, versions: versions, number: number)
    }
}

/// What is compared of a record that was read back.
package struct RecordContent: Sendable, Equatable {
    /// Which record of its life it is.
    package let number: Int
    /// What it does to its life.
    package let step: RecordStep?
    /// Its entries' bytes.
    package let payload: [UInt8]
}

extension LifeRecord {
    /// What is expected to be read back.
    package var content: RecordContent {
        let encoded = EncodedRecord(self)
        return RecordContent(number: number, step: encoded.place.step, payload: encoded.payload)
    }
}

extension Journal {
    /// Appends a record and waits for the result.
    package func append(_ record: LifeRecord) async throws {
        try await withCheckedContinuation { continuation in
            append(record) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Appends a pair of records and waits for the result.
    package func append(_ first: LifeRecord, with second: LifeRecord) async throws {
        try await withCheckedContinuation { continuation in
            append(first, with: second) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Makes a snapshot and waits for the end of it.
    package func storeSnapshot(_ state: LifeState) async {
        await withCheckedContinuation { continuation in
            snapshot(state) { continuation.resume() }
        }
    }
}

extension RecoverableJournal {
    /// The records of a director that no snapshot stands for.
    package func contents(of director: String = "contacts") throws -> [RecordContent] {
        guard let life = try lives().first(where: { $0.director == director }) else { return [] }
        var found: [RecordContent] = []
        try readRecords { records in
            for record in records where record.director == director && record.epoch == life.epoch {
                guard record.number > life.snapshot ?? 0 else { continue }
                found.append(RecordContent(number: record.number, step: record.step, payload: record.payload))
            }
        }
        return found
    }

    /// The bytes of a director's snapshot; nil where there is none.
    package func snapshotBytes(of director: String = "contacts") throws -> [UInt8]? {
        try readSnapshot(of: director) { _, next in
            var bytes: [UInt8] = []
            while let chunk = try next() { bytes += chunk }
            return bytes
        }
    }
}

extension LifeState {
    /// The bytes of the state's snapshot.
    package func snapshotBytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachSnapshotChunk { bytes += $0 }
        return bytes
    }
}

extension JSONValue {
    /// A JSON string.
    package static func text(_ text: String) -> JSONValue {
        var writer = JSONWriter()
        writer.string(text)
        return JSONValue(trusting: writer.bytes)
    }
}
