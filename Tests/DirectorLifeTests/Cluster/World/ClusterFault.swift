import Testing

/// A fault that is planted in a cluster, to see that the simulation finds it.
enum ClusterFault: String, CaseIterable, CustomTestStringConvertible {
    /// The database stores what was sent under an old term or behind another head.
    case noFence
    /// A follower shows what a restarted primary has, without a write of its own.
    case noBarrier
    /// A commit whose answer is lost is reported as failed.
    case doubtIsFailure
    /// What is in doubt is looked for without fencing off what was sent before.
    case doubtWithoutTerm
    /// Nodes look at what they are told of, and never at everything.
    case hintsAlone
    /// Records are read behind one number for all lives.
    case globalCursor
    /// An owner begins without the answers that are stored.
    case answersNotInherited
    /// A node owns a director before it has read its records.
    case adoptsUnread
    /// A node that loses a director takes the newest record's number for what it has.
    case losesWithoutReading
    /// A node that has lost a director performs records that it has stored itself.
    case ownRecordsTwice
    /// A node that has lost a director goes on knowing how to write it.
    case keepsWriting
    /// A director is given away while commands are in flight.
    case givesAtOnce
    /// A director that was perhaps given away is taken back without a look.
    case takesBackAtOnce
    /// An owner answers reads after its lease has run out.
    case leaseIgnored

    var testDescription: String { rawValue }
}
