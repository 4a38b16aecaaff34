import Directors
import JSONValues

/// A director on its way from its snapshot, or from nothing, to its newest record.
struct Replay {
    /// Why a record cannot be performed again.
    struct Fault: Error {
        let detail: String
    }

    private(set) var director: Director
    private(set) var versions: [RetainedVersion]
    private(set) var definitionVersion: Int?
    /// The number of the newest record that has been performed.
    private(set) var number: Int
    private var hasContentPointers: Bool
    private var changesetBytes: Int
    private let retention: VersionRetention

    /// Goes on from a snapshot.
    init(_ snapshot: SnapshotDecoder.Result, number: Int, retention: VersionRetention) {
        director = snapshot.director
        versions = snapshot.versions
        definitionVersion = snapshot.definitionVersion
        hasContentPointers = snapshot.hasContentPointers
        self.number = number
        self.retention = retention
        changesetBytes = versions.reduce(0) { $0 + ($1.changeset?.count ?? 0) }
        dropOldest()
    }

    /// Begins with a life's first record.
    init(
        _ record: StoredRecord, assembler: any DirectorAssembler, retention: VersionRetention
    ) throws {
        var entries = try RecordCoding.decode(record.payload)
        guard record.number == 1, record.step == .begins, case .defined(let definition, let revision)? = entries.first
        else { throw Fault(detail: "the life does not begin with a definition") }
        entries.removeFirst()
        var director = Director(
            name: record.director, epoch: record.epoch, properties: definition.properties, limits: .none)
        try director.redefine(as: definition)
        hasContentPointers = definition.cells.contains { $0.content != nil }
        if director.revision != revision {
            var parts = DirectorParts(of: director, hasContentPointers: hasContentPointers)
            parts.revision = revision
            director = try assembler.director(parts)
        }
        self.director = director
        versions = [RetainedVersion(state: director.published, adapters: director.adapters, changeset: nil)]
        number = 1
        changesetBytes = 0
        self.retention = retention
        for entry in entries { try perform(entry) }
    }

    /// Performs a record that comes after.
    mutating func perform(_ record: StoredRecord) throws {
        guard record.epoch == director.epoch, record.number == number + 1 else {
            throw Fault(detail: "it has number \(record.number) of its director, and number \(number + 1) comes next")
        }
        for entry in try RecordCoding.decode(record.payload) { try perform(entry) }
        number = record.number
    }

    private mutating func perform(_ entry: DecodedEntry) throws {
        switch entry {
        case .defined(let definition, let revision):
            try director.redefine(as: definition)
            if definition.cells.contains(where: { $0.content != nil }) { hasContentPointers = true }
            try check("revision", director.revision, revision)
            definitionVersion = director.version
        case .performed(let operations, let revision):
            try director.perform(operations)
            try check("revision", director.revision, revision)
        case .published(let version, let animations):
            guard let change = director.reload(animations: animations) else {
                throw Fault(detail: "it published version \(version), and there is nothing to publish")
            }
            try check("version", change.version, version)
            var json = JSONWriter()
            change.encode(to: &json)
            changesetBytes += json.bytes.count
            versions.append(
                RetainedVersion(state: director.published, adapters: director.adapters, changeset: json.bytes))
            dropOldest()
        case .deleted:
            throw Fault(detail: "it deletes a director that goes on")
        }
    }

    private func check(_ what: String, _ found: Int, _ stored: Int) throws {
        guard found != stored else { return }
        throw Fault(detail: "it led to \(what) \(stored), and performing it again leads to \(what) \(found)")
    }

    private mutating func dropOldest() {
        var dropped = 0
        while versions.count - dropped > 1,
            versions.count - dropped > max(1, retention.count) || changesetBytes > retention.bytes
        {
            changesetBytes -= versions[dropped].changeset?.count ?? 0
            dropped += 1
        }
        // The oldest keeps its changeset: it leads there for those who ask for each.
        versions.removeFirst(dropped)
    }

    /// The director with its limits, and what is kept of it.
    func finish(
        limits: DirectorLimits, answers: [StoredAnswer], assembler: any DirectorAssembler
    ) throws -> RecoveredDirector {
        var parts = DirectorParts(of: director, hasContentPointers: hasContentPointers)
        parts.limits = limits
        return RecoveredDirector(
            director: try assembler.director(parts), number: number, versions: versions,
            definitionVersion: definitionVersion, answers: answers)
    }
}
