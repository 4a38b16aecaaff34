import Journal

/// A fault that is planted in a cluster, to see that the simulation finds it.
enum ClusterFault: Hashable, CustomStringConvertible {
    /// In a node's decisions, as the server makes them.
    case decision(PlantedFault)
    /// In what is simulated around them.
    case surrounding(SurroundingFault)

    static let all = PlantedFault.allCases.map(decision) + SurroundingFault.allCases.map(surrounding)

    var description: String {
        switch self {
        case .decision(let fault): fault.rawValue
        case .surrounding(let fault): fault.rawValue
        }
    }
}

/// A fault of the database's statements, or of the loop on which directors live.
enum SurroundingFault: String, CaseIterable {
    /// The database stores what was sent under an old term or behind another head.
    case noFence
    /// The database stores the half of a pair whose life is as it was to be.
    case storesHalfPair
    /// The terms of lives in doubt are not raised where the node's fence is gone.
    case termsWithFence
    /// What is stored is not among the notes of changes.
    case storesUnnoted
    /// A director leaves memory, and its streams are not ended.
    case unloadsSilently
    /// An owner begins without the answers that are stored.
    case answersNotInherited
    /// A node that has lost a director performs records that it has stored itself.
    case ownRecordsTwice
    /// A director is given away, and its owner goes on as one.
    case givesUnresigned
    /// An owner answers reads until its loop has taken note that the director is lost.
    case losesLater
    /// An owner answers reads of a director whose end others may have seen.
    case readsEnding
    /// An owner answers reads while others may have seen what it has in flight.
    case readsInFlight
    /// An owner answers reads of a director whose beginning is not stored.
    case readsUnborn
    /// A life is loaded over a new connection from before a write of its own is acknowledged by the standbys.
    case loadsBeforeBarrier
    /// The port of a node that stands still refuses connections.
    case pausedRefuses
    /// An owner answers reads after its lease has run out.
    case leaseIgnored
}
