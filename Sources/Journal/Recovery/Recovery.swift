import DirectorLife
import Directors
import Notation

/// Reads a journal and restores its directors: the newest snapshot of each, and the records stored after it.
///
/// All or nothing: an inconsistency is reported as damage with its place, and no director is returned.
package struct Recovery {
    /// The journal's directors, ordered by name.
    package let directors: [RecoveredDirector]
    /// What was read.
    package let report: RecoveryReport

    /// How far reading has come, for a log line now and then.
    package struct Progress: Sendable {
        /// Records that have been read.
        package let records: Int
        /// Snapshots that have been read.
        package let snapshots: Int
    }

    /// Reads a journal.
    ///
    /// - Parameters:
    ///   - journal: The journal; nothing may be appended meanwhile.
    ///   - limits: How much each director may hold from now on. Accepted content is restored, whatever they are.
    ///   - retention: How many versions are kept to be resumed from.
    ///   - isVerifying: Whether the values in the snapshots are parsed again, though they were parsed before they were
    ///     stored and have checksums.
    ///   - progress: Called now and then, on the caller's thread.
    /// - Complexity: One sequential read of the log, and of the snapshots.
    /// - Throws: ``JournalError/damaged(_:)`` with the place, or that the journal cannot be read.
    package init(
        of journal: some LifeSource, limits: DirectorLimits, retention: VersionRetention,
        isVerifying: Bool = false,
        progress: (Progress) -> Void = { _ in }
    ) throws(JournalError) {
        do {
            let start = ContinuousClock.now
            var reader = RecoveryReader(retention: retention, isVerifying: isVerifying, lives: try journal.lives())
            try reader.readSnapshots(journal, progress)
            try reader.readLog(journal, progress)
            directors = try reader.finish(journal, limits)
            reader.report.duration = start.duration(to: .now)
            reader.report.bytesOnDisk = journal.bytesOnDisk
            report = reader.report
        } catch {
            throw JournalError(wrapping: error)
        }
    }
}

/// The state of a recovery in progress.
private struct RecoveryReader {
    let retention: VersionRetention
    let isVerifying: Bool
    let lives: [StoredLife]
    var replays: [Name: Replay] = [:]
    var report = RecoveryReport()

    private let epochs: [Name: String]
    private let floors: [Name: Int]

    init(retention: VersionRetention, isVerifying: Bool, lives: [StoredLife]) {
        self.retention = retention
        self.isVerifying = isVerifying
        self.lives = lives
        epochs = Dictionary(lives.map { (Name($0.director), $0.epoch) }, uniquingKeysWith: { first, _ in first })
        floors = Dictionary(
            lives.compactMap { life in life.snapshot.map { (Name(life.director), $0) } }, uniquingKeysWith: max)
    }

    private func progress() -> Recovery.Progress {
        Recovery.Progress(records: report.records, snapshots: report.snapshots)
    }

    mutating func readSnapshots(_ journal: some LifeSource, _ progress: (Recovery.Progress) -> Void) throws {
        let isVerifying = isVerifying
        for life in lives where life.snapshot != nil {
            var bytes = 0
            replays[life.director] = try journal.readSnapshot(of: life.director) { head, next in
                var decoder = StateDecoder(isVerifying: isVerifying) {
                    let chunk = try next()
                    bytes += chunk?.count ?? 0
                    return chunk
                }
                let place = "the snapshot after record \(head.number)"
                let decoded = try locating(life.director, place) { try decoder.decode() }
                guard decoded.director.name.isVerbatim(life.director) else {
                    throw JournalDamage(director: life.director, place: place, detail: "it is of another director")
                }
                return Replay(decoded, epoch: life.epoch, number: head.number, retention: retention)
            }
            report.snapshots += 1
            report.snapshotBytes += bytes
            progress(self.progress())
        }
    }

    mutating func readLog(_ journal: some LifeSource, _ progress: (Recovery.Progress) -> Void) throws {
        try journal.readRecords { records in
            let needed = records.filter(isNeeded)
            for (record, decoded) in zip(needed, RecordCoding.decode(needed)) {
                try locating(record.director, record.position) { try perform(record, try decoded.get()) }
            }
            progress(self.progress())
        }
        for life in lives {
            try locating(life.director, "the log") { try replays[life.director]?.settle() }
            let found = replays[life.director]?.number ?? 0
            guard found == life.number, found > 0 else {
                throw JournalDamage(
                    director: life.director, place: "the log",
                    detail: "it ends with number \(found) of the director's records, and there were \(life.number)")
            }
        }
    }

    /// Whether a record belongs to a life that goes on and is not in its snapshot; others were only not pruned yet.
    private func isNeeded(_ record: StoredRecord) -> Bool {
        epochs[record.director] == record.epoch && record.number > floors[record.director] ?? 0
    }

    private mutating func perform(_ record: StoredRecord, _ entries: [DecodedEntry]) throws {
        if replays[record.director] == nil {
            replays[record.director] = try Replay(record, entries, retention: retention)
        } else {
            // In place: a second reference to the director would cause its lists to be copied.
            try replays[record.director]?.perform(record, entries)
        }
        report.records += 1
        report.recordBytes += record.payload.count
    }

    mutating func finish(_ journal: some LifeSource, _ limits: DirectorLimits) throws -> [RecoveredDirector] {
        var directors: [RecoveredDirector] = []
        for life in lives {
            guard let replay = replays.removeValue(forKey: Name(life.director)) else { continue }
            let answers = try journal.answers(of: life.director)
            let state = replay.finish(limits: limits)
            report.directors += 1
            report.elements += state.director.working.list.counts.elements
            report.versions += state.versions.count
            report.answers += answers.count
            directors.append(RecoveredDirector(state: state, answers: answers))
        }
        return directors
    }

    /// Runs some work, and turns an error of it into damage at a place.
    private func locating<Value>(_ director: String, _ place: String, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as JournalError {
            throw error
        } catch let damage as JournalDamage {
            throw damage
        } catch {
            let detail: String
            switch error {
            case let fault as ByteReader.Fault: detail = fault.detail
            case let error as FollowError: detail = error.description
            default: detail = "it cannot be read: \(error)"
            }
            throw JournalDamage(director: director, place: place, detail: detail)
        }
    }
}
