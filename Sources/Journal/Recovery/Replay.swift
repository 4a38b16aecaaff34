import DirectorLife
import Directors
import ListDiff

/// Restores one director: begins with its snapshot or its first record, and performs the records after that.
///
/// Long appends are made on all processors while the next records are read.
struct Replay {
    private var state: LifeState
    /// Appends whose elements other threads are making; they are completed before anything else is performed.
    private var appends: Appends?
    private let maker = ElementMaker()

    /// Consecutive operations that append elements to one section.
    private struct Appends {
        let section: Address
        let end: PersistentListEnd
        var operations = 0
        var elements = 0
    }

    /// The number of the newest record that has been performed.
    var number: Int { state.number }

    /// Begins with a snapshot.
    ///
    /// If the snapshot is of another epoch, a backup was restored meanwhile, and no client holds an earlier version of
    /// this epoch: only the published version is retained.
    init(_ snapshot: StateDecoder.Result, epoch: String, number: Int, retention: VersionRetention) {
        let isSameEpoch = snapshot.director.epoch == epoch
        let director = isSameEpoch ? snapshot.director : snapshot.director.restored(epoch: epoch)
        let retained = isSameEpoch ? snapshot.versions : []
        var versions = VersionHistory(
            first: retained.first?.state ?? director.published,
            adapters: retained.first?.adapters ?? director.adapters,
            variables: retained.count > 1 ? .unknown : snapshot.publishedVariables, retention: retention)
        for version in retained.dropFirst() {
            versions.append(
                version.state, adapters: version.adapters, changeset: version.changeset, causes: version.causes,
                variables: version.version == director.version ? snapshot.publishedVariables : .unknown)
        }
        state = LifeState(
            director: director, versions: versions, definitionVersion: snapshot.definitionVersion, number: number)
    }

    /// Begins with a life's first record.
    init(_ record: StoredRecord, _ entries: [DecodedEntry], retention: VersionRetention) throws {
        guard record.step == .begins else { throw FollowError("the life does not begin with a definition") }
        let entries = try entries.map { entry in
            guard case .entry(let entry) = entry else { throw FollowError("the life begins with elements") }
            return entry
        }
        state = try LifeState(
            following: LifeRecord(
                director: record.director, epoch: record.epoch, number: record.number, entries: entries),
            retention: retention)
    }

    /// Performs the next record, whose entries were decoded.
    mutating func perform(_ record: StoredRecord, _ entries: [DecodedEntry]) throws {
        guard record.epoch == state.director.epoch, record.number == number + 1 else {
            throw FollowError(
                "it has number \(record.number) of its director, and number \(number + 1) comes next")
        }
        for entry in entries { try perform(entry, of: record) }
        state.note(number: record.number)
    }

    private mutating func perform(_ entry: DecodedEntry, of record: StoredRecord) throws {
        switch entry {
        case .appended(let append, let revision): try perform(append, revision, of: record)
        // It touches no list: elements that are being made need not be waited for.
        case .entry(.caused(let cause)): state.note(cause: cause)
        case .entry(.deleted): throw FollowError("it deletes a director that goes on")
        case .entry(let entry):
            try settle()
            _ = try state.perform(entry)
        }
    }

    /// Starts making an append's elements on other threads while the next records are read.
    private mutating func perform(_ append: StoredAppend, _ revision: Int, of record: StoredRecord) throws {
        if appends?.section != append.section { try settle() }
        var all = try appends ?? Appends(section: append.section, end: try state.director.end(of: append.section))
        guard all.elements + append.count <= all.end.room else {
            try settle()
            _ = try state.perform(.performed([try append.operation()], revision: revision))
            return
        }
        let (adapters, offset, end) = (state.director.adapters, all.elements, all.end)
        try maker.add {
            do {
                return [PersistentListPart(try append.makeElements(adapters), at: offset, behind: end)]
            } catch {
                throw JournalDamage(
                    director: record.director, place: record.position,
                    detail: "it cannot be read: \(error)")
            }
        }
        all.operations += 1
        all.elements += append.count
        appends = all
        guard state.director.revision + all.operations == revision else {
            throw FollowError("it does not lead to revision \(revision)")
        }
    }

    /// Waits for the elements that are being made, and appends them.
    mutating func settle() throws {
        guard let all = appends else { return }
        appends = nil
        try state.append(try maker.takeParts(), to: all.section, operations: all.operations)
    }

    /// The state that the records led to, with the director's limits.
    consuming func finish(limits: DirectorLimits) -> LifeState {
        state.limit(to: limits)
        return state
    }
}
