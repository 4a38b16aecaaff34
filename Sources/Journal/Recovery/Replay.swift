import DirectorLife
import Directors
import HTTPWire
import JSONValues
import ListDiff

/// Restores one director: begins with its snapshot or its first record, and performs the records after that.
struct Replay {
    /// Why a record cannot be performed.
    struct Fault: Error {
        let detail: String
    }

    private(set) var director: Director
    private var versions: VersionHistory
    private(set) var definitionVersion: Int?
    /// The number of the newest record that has been performed.
    private(set) var number: Int
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

    /// Begins with a snapshot.
    ///
    /// If the snapshot is of another epoch, a backup was restored meanwhile, and no client holds an earlier version of
    /// this epoch: only the published version is retained.
    init(_ snapshot: SnapshotDecoder.Result, epoch: String, number: Int, retention: VersionRetention) {
        let isSameEpoch = snapshot.director.epoch == epoch
        director = isSameEpoch ? snapshot.director : snapshot.director.restored(epoch: epoch)
        definitionVersion = snapshot.definitionVersion
        self.number = number
        let retained = isSameEpoch ? snapshot.versions : []
        versions = VersionHistory(
            first: retained.first?.state ?? director.published,
            adapters: retained.first?.adapters ?? director.adapters, retention: retention)
        for version in retained.dropFirst() {
            versions.append(version.state, adapters: version.adapters, changeset: version.changeset)
        }
    }

    /// Begins with a life's first record.
    init(_ record: StoredRecord, _ entries: [DecodedEntry], retention: VersionRetention) throws {
        guard record.number == 1, record.step == .begins,
            case .entry(.defined(let definition, let revision))? = entries.first
        else { throw Fault(detail: "the life does not begin with a definition") }
        var director = Director(
            name: record.director, epoch: record.epoch, properties: definition.properties, limits: .none)
        try director.redefine(as: definition)
        if director.revision != revision {
            director = director.restored(revision: revision, limits: DirectorLimits.none)
        }
        self.director = director
        versions = VersionHistory(first: director.published, adapters: director.adapters, retention: retention)
        number = 1
        for entry in entries.dropFirst() { try perform(entry, of: record) }
    }

    /// Performs the next record, whose entries were decoded.
    mutating func perform(_ record: StoredRecord, _ entries: [DecodedEntry]) throws {
        guard record.epoch == director.epoch, record.number == number + 1 else {
            throw Fault(detail: "it has number \(record.number) of its director, and number \(number + 1) comes next")
        }
        for entry in entries { try perform(entry, of: record) }
        number = record.number
    }

    private mutating func perform(_ entry: DecodedEntry, of record: StoredRecord) throws {
        switch entry {
        case .appended(let append, let revision): try perform(append, revision, of: record)
        case .entry(let entry):
            try settle()
            try perform(entry)
        }
    }

    private mutating func perform(_ entry: LifeEntry) throws {
        switch entry {
        case .defined(let definition, let revision):
            let before = director.shownDefinition
            try director.redefine(as: definition)
            try check("revision", director.revision, revision)
            // Subscribers are not shown a hook's target, and were not told of a change of it alone.
            if director.shownDefinition != before { definitionVersion = director.version }
        case .performed(let operations, let revision):
            // Encoded only if one of the operations can change the definition.
            let before = operations.contains(where: \.changesDefinition) ? director.shownDefinition : nil
            try director.perform(operations)
            try check("revision", director.revision, revision)
            if let before, director.shownDefinition != before { definitionVersion = director.version }
        case .published(let version, let animations, let form):
            let change = director.reloadAgain(animations: animations, form: form)
            try check("version", change.version, version)
            let frame = versions.canRetain(change) ? EventFrame.changeset(change) : nil
            versions.append(director.published, adapters: director.adapters, changeset: frame)
        case .deleted:
            throw Fault(detail: "it deletes a director that goes on")
        }
    }

    /// Starts making an append's elements on other threads while the next records are read.
    private mutating func perform(_ append: StoredAppend, _ revision: Int, of record: StoredRecord) throws {
        if appends?.section != append.section { try settle() }
        var all = try appends ?? Appends(section: append.section, end: try director.end(of: append.section))
        guard all.elements + append.count <= all.end.room else {
            try settle()
            try director.perform([try append.operation()])
            return try check("revision", director.revision, revision)
        }
        let (adapters, offset, end) = (director.adapters, all.elements, all.end)
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
        try check("revision", director.revision + all.operations, revision)
    }

    /// Waits for the elements that are being made, and appends them.
    mutating func settle() throws {
        guard let all = appends else { return }
        appends = nil
        try director.append(try maker.takeParts(), to: all.section, operations: all.operations)
    }

    private func check(_ what: String, _ found: Int, _ stored: Int) throws {
        guard found != stored else { return }
        throw Fault(detail: "it led to \(what) \(stored), and performing it again leads to \(what) \(found)")
    }

    /// The state that the records led to, with the director's limits.
    func finish(limits: DirectorLimits) -> LifeState {
        LifeState(
            director: director.restored(revision: director.revision, limits: limits), versions: versions,
            definitionVersion: definitionVersion, number: number)
    }
}

extension Director {
    /// The part of the definition that subscribers are told of when it changes.
    fileprivate var shownDefinition: [UInt8] {
        var json = JSONWriter()
        encodeDefinition(to: &json)
        return json.bytes
    }
}
