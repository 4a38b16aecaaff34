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
    private var bytes = 0
    private let retention: VersionRetention

    /// Goes on from a snapshot.
    ///
    /// Where that is of another epoch, a backup was restored meanwhile: nobody can hold an earlier version of this one.
    init(_ snapshot: SnapshotDecoder.Result, epoch: String, number: Int, retention: VersionRetention) {
        let isSameEpoch = snapshot.director.epoch == epoch
        director = isSameEpoch ? snapshot.director : snapshot.director.restored(epoch: epoch)
        definitionVersion = snapshot.definitionVersion
        self.number = number
        self.retention = retention
        versions = []
        if isSameEpoch {
            for version in snapshot.versions { append(version) }
        } else {
            append(RetainedVersion(state: director.published, adapters: director.adapters, changeset: nil))
        }
    }

    /// Begins with a life's first record.
    init(_ record: StoredRecord, retention: VersionRetention) throws {
        var entries = try RecordCoding.decode(record.payload)
        guard record.number == 1, record.step == .begins, case .defined(let definition, let revision)? = entries.first
        else { throw Fault(detail: "the life does not begin with a definition") }
        entries.removeFirst()
        var director = Director(
            name: record.director, epoch: record.epoch, properties: definition.properties, limits: .none)
        try director.redefine(as: definition)
        if director.revision != revision {
            director = director.restored(revision: revision, limits: DirectorLimits.none)
        }
        self.director = director
        versions = [RetainedVersion(state: director.published, adapters: director.adapters, changeset: nil)]
        number = 1
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
            try check("revision", director.revision, revision)
            definitionVersion = director.version
        case .performed(let operations, let revision):
            try director.perform(operations)
            try check("revision", director.revision, revision)
        case .published(let version, let animations):
            let change = director.reloadAgain(animations: animations)
            try check("version", change.version, version)
            var json = JSONWriter()
            change.encode(to: &json)
            append(RetainedVersion(state: director.published, adapters: director.adapters, changeset: json.bytes[...]))
        case .deleted:
            throw Fault(detail: "it deletes a director that goes on")
        }
    }

    private func check(_ what: String, _ found: Int, _ stored: Int) throws {
        guard found != stored else { return }
        throw Fault(detail: "it led to \(what) \(stored), and performing it again leads to \(what) \(found)")
    }

    /// Adds a version and drops the oldest beyond the bound, which counts as the feed does.
    private mutating func append(_ version: RetainedVersion) {
        if let last = versions.last { bytes += last.state.list.bytesNotShared(with: version.state.list) }
        bytes += version.changeset?.count ?? 0
        versions.append(version)
        while versions.count > 1, versions.count > max(1, retention.count) || bytes > retention.bytes {
            let oldest = versions.removeFirst()
            bytes -= oldest.changeset?.count ?? 0
            if let next = versions.first { bytes -= oldest.state.list.bytesNotShared(with: next.state.list) }
        }
    }

    /// The director with its limits, and what is kept of it.
    func finish(limits: DirectorLimits, answers: [StoredAnswer]) -> RecoveredDirector {
        RecoveredDirector(
            director: director.restored(revision: director.revision, limits: limits), number: number,
            versions: versions, definitionVersion: definitionVersion, answers: answers)
    }
}

extension Director {
    /// The same director with another epoch, revision or limits.
    fileprivate func restored(
        epoch: String? = nil, revision: Int? = nil, limits: DirectorLimits? = nil
    ) -> Director {
        Director(
            restoring: name, epoch: epoch ?? self.epoch, properties: properties, adapters: adapters, hooks: hooks,
            working: WorkingState(
                restoring: working.list, revision: revision ?? self.revision, variables: working.variables),
            published: published, limits: limits ?? self.limits)
    }
}

extension DirectorLimits {
    /// None: what was accepted once is taken again, whatever the limits are by now.
    static let none = DirectorLimits(
        sections: .max, elements: .max, variables: .max, adapters: .max, hooks: .max, valueLength: .max)
}
