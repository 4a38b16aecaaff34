import Directors

/// A stored director with its retained versions: the state for readers, for snapshots and for restarts.
///
/// An immutable copy costs a few references: it shares everything with the state that goes on.
package struct LifeState: Sendable {
    /// The director: its definition, its working state and what is published.
    package internal(set) var director: Director
    /// The versions that can be read, resumed from and spanned; the newest is the director's published one.
    package internal(set) var versions: VersionHistory
    /// The version that was published when the definition last changed; nil while it has not.
    ///
    /// A stream that resumes from there or before is told the definition.
    package internal(set) var definitionVersion: Int?
    /// The number of the newest record that led here; 0 before the first.
    package internal(set) var number: Int
    /// The director's cost, by `Director.work`, at the last request of a snapshot.
    private var workAtSnapshot = 0
    /// The entity tag of the working state, where it has been written.
    private(set) var writtenTag: String?

    /// Makes a state of its parts.
    package init(director: Director, versions: VersionHistory, definitionVersion: Int? = nil, number: Int) {
        self.director = director
        self.versions = versions
        self.definitionVersion = definitionVersion
        self.number = number
    }

    /// Makes the state of a director of which nothing is stored yet.
    package init(new director: Director, retention: VersionRetention) {
        self.init(
            director: director,
            versions: VersionHistory(
                first: director.published, adapters: director.adapters, variables: PublishedVariables(of: director),
                retention: retention),
            number: 0)
    }

    /// The entity tag of the working state; written once.
    package mutating func tag() -> String {
        if let writtenTag { return writtenTag }
        let tag = EntityTag.text(epoch: director.epoch, revision: director.revision)
        writtenTag = tag
        return tag
    }

    /// Whether performing the records since the last snapshot again would take longer than a start should: they may be
    /// short and cost much.
    package var isReplayDear: Bool { director.work - workAtSnapshot > director.workWorthSnapshot }

    /// Whether the next start would be much quicker with a snapshot for what the records cost, though that is not due yet.
    package var isReplayWorthSnapshot: Bool { director.work - workAtSnapshot > director.workWorthSnapshot / 8 }

    /// Takes note that a snapshot of the state is asked for.
    mutating func noteSnapshot() {
        workAtSnapshot = director.work
    }

    /// Goes on to the state after a record.
    mutating func advance(to director: Director, number: Int, tag: String?) {
        self.director = director
        self.number = number
        writtenTag = tag
    }
}
