import DirectorLife
import Directors
import Reactor
import Views

/// What readers of a view see, and when they see it.
extension ViewInstance {
    /// What readers see.
    package var stored: LifeState {
        LifeState(
            director: director, versions: versions, definitionVersion: definitionVersion,
            number: versions.newest.version)
    }

    /// Whether a stream or another view follows it.
    package var isFollowed: Bool { !publisher.isEmpty || followers != nil }

    /// Whether its readers have to come back: the view, its definition or its source is another one, or gone.
    package var isOver: Bool { ending != nil }

    /// Runs something once the list shows what the source had published before the call, as ``whenReady(at:_:)`` does. From any
    /// thread.
    ///
    /// The source tells its views through their loops' queues. A reader who knows that a version is published waits behind
    /// what was told of it, on whatever loop the source lives.
    package nonisolated func whenCurrent(
        at version: Int? = nil, _ body: @escaping @Sendable (isolated ViewInstance) -> Void
    ) {
        afterSource { $0.settle { $0.whenReady(at: version, body) } }
    }

    /// Runs something behind all messages of what the source has published before the call.
    nonisolated func afterSource(_ body: @escaping @Sendable (isolated ViewInstance) -> Void) {
        guard let source else { return send(body) }
        source.whenSettled {
            if let division = self.division {
                division.send { $0.settle { _ in self.send(body) } }
            } else {
                self.send(body)
            }
        }
    }

    /// Runs something once there is a list, and one for a version if that can be found.
    ///
    /// - Parameters:
    ///   - version: A version that is read or resumed from; nil for the newest.
    ///   - body: Called once, on the loop: at once where there is nothing to wait for.
    package func whenReady(at version: Int? = nil, _ body: @escaping @Sendable (isolated ViewInstance) -> Void) {
        touch()
        guard isBuilt || ending != nil else { return waiting.append { $0.whenReady(at: version, body) } }
        versions.extend(through: seenVersion)
        guard let version, version < versions.oldest, versions.state(at: version) == nil, ending == nil, let source
        else { return body(self) }
        source.find(version, for: self) { instance, found in
            guard let found, found.variables != nil || !instance.plan.readsVariables else { return body(instance) }
            let plan = instance.plan
            let make: @Sendable () -> PublishedState = {
                View(plan, of: found.state, variables: found.variables ?? [:]).published
            }
            let take: @Sendable (isolated ViewInstance, PublishedState) -> Void = { instance, state in
                instance.versions.add(found: state)
                body(instance)
            }
            if !instance.runBeside(found.state.list.memory, make, then: take) { take(instance, make()) }
        }
    }

    func touch() { lastUse = loop.now }

    /// Reads a report that a UI makes of this list.
    ///
    /// - Throws: The errors of `Director.read(_:at:keepsSections:)`.
    /// - Returns: Nil where the version that it names is not retained.
    package func read(_ report: EventReport) throws(DirectorError) -> ViewedReport? {
        guard let state = versions.state(at: report.version ?? versions.newest.version) else { return nil }
        return try director.read(report, at: state, keepsSections: keepsSections, through: views)
    }
}
