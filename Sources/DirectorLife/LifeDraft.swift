import Directors
import HTTPWire
import ListDiff

/// A command being carried out: a copy of the working state that it changes, and what follows from that.
///
/// Nothing of it has happened before the life commits it; a command that is refused halfway is dropped with its draft.
package struct LifeDraft: Sendable {
    /// The director as the command leaves it.
    package private(set) var director: Director
    /// The published and stored state, which lags behind the draft: announcements refer to it.
    package let published: PublishedState

    /// Whether the command is refused where it turns out to be longer than a turn on a loop.
    package var isInTurn = false

    /// The command's effects so far, which decide the rights that it requires.
    package private(set) var done: Effects = []

    /// The hooks before the command.
    private let originalHooks: HookRegistry
    /// The command's name, until it is noted; nil where it has none.
    private var cause: String?
    package private(set) var entries: [LifeEntry] = []
    /// The first entries as the journal encodes them, and their number; nil if that was not done beforehand.
    private var encodedEntries: (payload: [UInt8], count: Int)?
    private(set) var effects = LifeEffects()
    private(set) var announcement: Announcement?
    private var writtenTag: String?
    private var taggedRevision = -1

    /// Begins with the working state of a life.
    package init(_ director: Director, published: PublishedState, cause: String?) {
        self.director = director
        originalHooks = director.hooks
        self.published = published
        self.cause = cause
    }

    /// Whether something is to be stored.
    package var isChange: Bool { !entries.isEmpty }

    /// The entity tag of the director as the command leaves it so far.
    package mutating func tag() -> String {
        if let writtenTag, taggedRevision == director.revision { return writtenTag }
        let tag = EntityTag.text(epoch: director.epoch, revision: director.revision)
        (writtenTag, taggedRevision) = (tag, director.revision)
        return tag
    }

    /// The entity tag of the director as the command leaves it, where it has been written.
    var finalTag: String? { taggedRevision == director.revision ? writtenTag : nil }

    // MARK: Changing

    /// Performs operations, all or none.
    ///
    /// - Complexity: The sum over the operations.
    /// - Returns: The place of the element that the last operation has put or patched by itself; nil after others.
    /// - Throws: The refusal of the first operation that cannot be performed; the draft is as before.
    @discardableResult
    package mutating func perform(_ operations: [Directors.Operation]) throws(DirectorError) -> ElementPlace? {
        // Before performing: what the journal holds gives the same state when it is performed again.
        let operations = operations.resolved
        let effects = operations.effects
        let before = effects.contains(.definition) ? director : nil
        let place = try director.inTurn(isInTurn) { director throws(DirectorError) in try director.perform(operations) }
        append(.performed(operations, revision: director.revision))
        note(effects, since: before)
        return place
    }

    /// Performs a batch, all or none; an error names the place of the operation.
    package mutating func perform(batch operations: [Directors.Operation]) throws(DirectorError) {
        let operations = operations.resolved
        let effects = operations.effects
        let before = effects.contains(.definition) ? director : nil
        try director.inTurn(isInTurn) { director throws(DirectorError) in try director.perform(batch: operations) }
        if !operations.isEmpty { append(.performed(operations, revision: director.revision)) }
        note(effects, since: before)
    }

    private mutating func note(_ effects: Effects, since before: Director?) {
        done.formUnion(effects)
        guard let before else { return }
        // An adapter that is removed takes its hooks along.
        if before.hooks != director.hooks { done.insert(.hooks) }
        noteDefinition(since: before)
    }

    /// Puts a list in the place of the content.
    ///
    /// - Parameters:
    ///   - content: What was read.
    ///   - prepared: A copy of an earlier state of the director that has the list already, and the operations that do the
    ///     same; nil has it put in its place here.
    /// - Throws: What the director refuses; the draft is as before.
    package mutating func replaceContent(
        with content: ReplacementContent, prepared: (director: Director, operations: [Directors.Operation])?
    ) throws(DirectorError) {
        if let prepared {
            director.takeContent(of: prepared.director)
            append(.performed(prepared.operations, revision: director.revision))
        } else {
            append(.performed(try director.replaceContent(with: content), revision: director.revision))
        }
    }

    /// Changes properties, adapters or hooks.
    ///
    /// - Parameters:
    ///   - tellsDispatcher: False where the dispatcher of notifications, which is told of hooks that change, has itself
    ///     asked for the change.
    ///   - change: Makes the change and returns whether it was one.
    /// - Returns: What `change` returned.
    @discardableResult
    package mutating func define<Failure: Error>(
        tellsDispatcher: Bool = true, _ change: (inout Director) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let before = director
        guard try director.inTurn(isInTurn, change) else { return false }
        done.formUnion(director.defined(since: before))
        append(.defined(director))
        noteDefinition(since: before)
        if !tellsDispatcher { effects.hooks = nil }
        return true
    }

    /// Creates the director: the first command of a life.
    package mutating func create() {
        done.insert(.definition)
        append(.defined(director))
    }

    /// Deletes the director: the last command of a life.
    package mutating func delete() {
        done.insert(.definition)
        entries.append(.deleted)
        effects.changes.append(.ended)
        effects.hooks = .over
    }

    /// Appends a step, and the command's name behind the first one: a command that changes nothing leaves none.
    private mutating func append(_ entry: LifeEntry) {
        entries.append(entry)
        guard let cause = cause.take() else { return }
        director.note(cause: cause)
        entries.append(.caused(cause))
    }

    private mutating func noteDefinition(since before: Director) {
        if let frame = director.definitionFrame(since: before) {
            // Of what has been published and may not be stored yet: once it is this event's turn, that is the newest.
            effects.definitionVersion = director.version
            effects.changes.append(.defined(frame, version: director.version))
        }
        // Of the whole command: an earlier step of it may have changed other hooks.
        effects.hooks = HookChanges(from: originalHooks, to: director)
    }

    // MARK: Storing

    /// Does beforehand what storing a long command takes, elsewhere than on the director's loop.
    ///
    /// - Parameters:
    ///   - earlier: What the director has published before the command.
    ///   - retention: The bounds of retained versions: a changeset within them is encoded.
    ///   - isFollowed: Whether somebody subscribes: then every changeset is encoded.
    ///   - encode: Encodes entries as the journal does; nil if it keeps none.
    /// - Complexity: O(*n*) in the text of the entries and of the changesets, and in what versions do not share.
    package mutating func prepareStoring(
        since earlier: PublishedState, retention: VersionRetention, isFollowed: Bool,
        encode: (([LifeEntry]) -> [UInt8])?
    ) {
        if let encode { encodedEntries = (encode(entries), entries.count) }
        var earlier = earlier
        effects.changes = effects.changes.map { change in
            guard case .published(var version, let state, let adapters, let variables) = change else { return change }
            defer { earlier = state }
            let isRetained = retention.admits(version.change)
            if isRetained || isFollowed { version.frame = version.encoded }
            if isRetained { version.exclusiveBytes = earlier.list.bytesNotShared(with: state.list) }
            return .published(version, state, adapters, variables)
        }
    }

    /// The entries as the journal encodes them; nil if that was not done beforehand, of all of them.
    var payload: [UInt8]? { encodedEntries?.count == entries.count ? encodedEntries?.payload : nil }

    // MARK: Publishing

    /// Reloads.
    ///
    /// - Parameters:
    ///   - animations: The animations that the caller asks for.
    ///   - isEncoded: Whether the change is needed as bytes at once, for the answer.
    /// - Returns: The change; nil where there is nothing to publish.
    /// - Complexity: That of `Director.reload`, which follows what differs.
    /// - Throws: A row that cannot be published; the draft is as before.
    package mutating func publish(
        _ animations: Animations?, isEncoded: Bool = false
    ) throws(DirectorError) -> PublishedVersion? {
        done.insert(.content)
        let change = try director.inTurn(isInTurn) { [cause] director throws(DirectorError) in
            try director.reload(animations: animations, cause: cause)
        }
        guard let change else { return nil }
        var version = PublishedVersion(change)
        if isEncoded { version.frame = version.encoded }
        if let cause = cause.take() { entries.append(.caused(cause)) }
        entries.append(.published(version: change.version, animations: animations))
        effects.changes.append(
            .published(version, director.published, director.adapters, PublishedVariables(of: director)))
        return version
    }

    /// The change that performing operations and reloading would publish; nothing changes. See `Director.dryRun`.
    package func dryRun(
        _ operations: [Directors.Operation], animations: Animations?
    ) throws(DirectorError) -> PublishedChange? {
        var copy = director
        return try copy.inTurn(isInTurn) { director throws(DirectorError) in
            try director.dryRun(operations, animations: animations)
        }
    }

    /// Has an event sent at once, before what is in flight is stored: it is about what is published now, and nothing of
    /// it is stored.
    package mutating func announce(_ event: StreamEvent) -> EventFrame {
        done.insert(.content)
        let frame = event.frame(epoch: director.epoch, version: published.version)
        announcement = Announcement(name: event.name, frame: frame)
        return frame
    }
}

extension Director {
    /// The effects of a change of the definition.
    ///
    /// Another kind ends what does not fit it, the list and hooks too: as deleting the director does, that is a change of
    /// the definition and nothing else.
    fileprivate func defined(since before: Director) -> Effects {
        guard kind == before.kind else { return .definition }
        let isSame = properties == before.properties && adapters == before.adapters
        if hooks == before.hooks { return .definition }
        return isSame ? .hooks : [.definition, .hooks]
    }
}

/// The consequences of a command once it is stored.
struct LifeEffects: Sendable {
    /// Something for subscribers.
    enum Change: Sendable {
        case published(PublishedVersion, PublishedState, AdapterRegistry, PublishedVariables)
        case defined(EventFrame, version: Int)
        case ended
    }

    /// For subscribers, in order.
    var changes: [Change] = []
    /// The version at which the definition changed; nil where it did not.
    var definitionVersion: Int?
    /// Hooks that are others or gone; nil for none.
    var hooks: HookChanges?
}
