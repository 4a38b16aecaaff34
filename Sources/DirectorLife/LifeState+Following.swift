import Directors
import HTTPWire
import ListDiff

/// Why a stored record cannot be performed.
package struct FollowError: Error, Sendable, CustomStringConvertible {
    /// The mismatch, a sentence without its full stop.
    package let description: String

    /// Says what does not fit.
    package init(_ description: String) {
        self.description = description
    }
}

extension LifeState {
    /// Begins a life with its first record.
    ///
    /// - Parameters:
    ///   - record: The record: number 1, whose first entry defines the director.
    ///   - retention: How many versions are kept.
    /// - Throws: What does not fit.
    package init(following record: LifeRecord, retention: VersionRetention) throws {
        guard record.number == 1, case .defined(let definition, let revision)? = record.entries.first else {
            throw FollowError("the life does not begin with a definition")
        }
        var director = Director(
            name: record.director, epoch: record.epoch, properties: definition.properties,
            derivation: definition.derivation, limits: .none)
        try director.redefine(as: definition)
        director.restore(revision: revision)
        self.init(new: director, retention: retention)
        for entry in record.entries.dropFirst() { _ = try perform(entry) }
        number = 1
    }

    /// Performs one entry of a stored record, as the node did that stored it.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - tellsViews: Whether views are told of what it publishes.
    /// - Returns: The change for subscribers; nil for an entry that they are not told of.
    /// - Throws: That it leads elsewhere than it did then. The state is not to be used any more.
    package mutating func perform(_ entry: LifeEntry, tellingViews tellsViews: Bool = false) throws -> StreamChange? {
        switch entry {
        case .defined(let definition, let revision):
            let before = director
            try director.redefine(as: definition)
            // One call raises the revision once, however many adapters it changes.
            if director.revision > before.revision, revision > before.revision { director.restore(revision: revision) }
            try check("revision", director.revision, revision)
            return noteDefinition(since: before)
        case .performed(let operations, let revision):
            let before = operations.contains(where: \.changesDefinition) ? director : nil
            try director.perform(operations)
            try check("revision", director.revision, revision)
            return before.flatMap { noteDefinition(since: $0) }
        case .published(let version, let animations, let form):
            let change = try director.reloadAgain(animations: animations, form: form)
            try check("version", change.version, version)
            let version = publish(
                PublishedVersion(change), director.published, director.adapters, PublishedVariables(of: director),
                tellingViews: tellsViews)
            return .published(version)
        case .caused(let cause):
            director.note(cause: cause)
            return nil
        case .deleted:
            return .ended(version: versions.newest.version)
        }
    }

    /// Appends elements that were made of several operations.
    ///
    /// - Throws: The section is not there, or cannot hold them.
    package mutating func append(
        _ parts: [PersistentListPart<Element>], to section: Address, operations: Int
    ) throws {
        try director.append(parts, to: section, operations: operations)
    }

    /// Takes note of a command's name; the rest of the state is left as it is.
    package mutating func note(cause: String) {
        director.note(cause: cause)
    }

    /// Takes note that all entries of a record have been performed.
    package mutating func note(number: Int) {
        self.number = number
    }

    /// Bounds what the director may hold from now on; what it holds stays.
    package mutating func limit(to limits: DirectorLimits) {
        director = director.restored(limits: limits)
    }

    private mutating func noteDefinition(since before: Director) -> StreamChange? {
        guard let frame = director.definitionFrame(since: before) else { return nil }
        definitionVersion = director.version
        return .defined(frame, version: director.version)
    }

    private func check(_ what: String, _ found: Int, _ stored: Int) throws {
        guard found != stored else { return }
        throw FollowError("it led to \(what) \(stored), and performing it again leads to \(what) \(found)")
    }

    /// Retains a version that is stored now.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - state: What is shown after it.
    ///   - adapters: The adapters then.
    ///   - variables: The variables then.
    ///   - tellsViews: Whether views are told of it.
    /// - Returns: The version with its changeset as bytes, if that is retained or was encoded before.
    mutating func publish(
        _ version: PublishedVersion, _ state: PublishedState, _ adapters: AdapterRegistry,
        _ variables: PublishedVariables, tellingViews tellsViews: Bool
    ) -> PublishedVersion {
        let change = version.change
        let canRetain = versions.retention.admits(change)
        let frame = version.frame ?? (canRetain ? .changeset(change) : nil)
        let dropped = versions.append(
            state, adapters: adapters, changeset: canRetain ? frame.map { .encoded($0) } : nil,
            causes: change.causes, variables: variables, exclusiveBytes: version.exclusiveBytes)
        return PublishedVersion(
            change, frame: frame, dropped: dropped,
            facts: tellsViews ? PublishedFacts(state, adapters, variables) : nil)
    }
}

extension Director {
    /// The `definition` event, where subscribers are shown another definition than before; where a hook leads to is not
    /// shown.
    package func definitionFrame(since before: Director) -> EventFrame? {
        let frame = StreamEvent.definition(self).frame(epoch: epoch, version: version)
        // The numbers of the version are the same in both: nothing is published in between.
        let earlier = StreamEvent.definition(before).frame(epoch: epoch, version: version)
        return frame.json == earlier.json ? nil : frame
    }

    /// The same director with another epoch or limits, as a restart finds it.
    package func restored(epoch: String? = nil, limits: DirectorLimits? = nil) -> Director {
        Director(
            restoring: name, epoch: epoch ?? self.epoch, properties: properties, adapters: adapters, hooks: hooks,
            working: WorkingState(
                restoring: working.list, revision: revision, variables: working.variables, causes: working.causes),
            published: published, limits: limits ?? self.limits, work: work, derivation: derivation)
    }
}

extension DirectorLimits {
    /// None: what was accepted once is taken again, whatever the limits are by now.
    package static let none = DirectorLimits(
        sections: .max, elements: .max, rows: .max, variables: .max, adapters: .max, hooks: .max, valueLength: .max,
        valueDepth: .max, pointerLength: .max, sectionsOfRequest: .max, expressionLength: .max, batchWork: .max,
        evaluationSteps: .max, holdsSectionsToKind: false, checksIdentifiers: false)
}
