import Directors

/// A published version that can be resumed from: what is kept of it, in memory and over a restart.
package struct RetainedVersion: Sendable {
    /// What subscribers showed.
    package let state: PublishedState
    /// The adapters when it was published: those that the changeset's elements have.
    package let adapters: AdapterRegistry
    /// The changeset that led here from the version before, in its JSON form; nil for the oldest of all.
    package let changeset: ArraySlice<UInt8>?

    /// Makes a version.
    package init(state: PublishedState, adapters: AdapterRegistry, changeset: ArraySlice<UInt8>?) {
        self.state = state
        self.adapters = adapters
        self.changeset = changeset
    }
}

/// A director at one moment, to make a snapshot of.
///
/// Holding one costs nothing but that what it shares with the live director is copied where that changes. It is encoded
/// on a thread of the journal's.
package struct DirectorCapture: Sendable {
    /// The director.
    package let director: Director
    /// The versions that are retained, oldest first; the last is the director's published one.
    package let versions: [RetainedVersion]
    /// The version that was published when the definition last changed; nil while it has not.
    package let definitionVersion: Int?

    /// Makes a capture.
    package init(director: Director, versions: [RetainedVersion], definitionVersion: Int?) {
        self.director = director
        self.versions = versions
        self.definitionVersion = definitionVersion
    }
}

extension DirectorCapture: SnapshotSource {
    package func forEachChunk(_ take: ([UInt8]) throws -> Void) throws {
        var encoder = SnapshotEncoder()
        try encoder.encode(self, take)
    }
}
