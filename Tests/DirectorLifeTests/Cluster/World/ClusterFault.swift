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
    /// An attempt to connect that was given up fences its node off when it is stored behind a later one.
    case attemptsCountLate
    /// Nodes look at what they are told of, and never at everything.
    case hintsAlone
    /// Records are read behind one number for all lives.
    case globalCursor
    /// A director that is not loaded is answered for without being loaded.
    case asksUnloaded
    /// A director that is not loaded is left with nobody who writes it when its owner is lost.
    case leavesUnloaded
    /// A director leaves memory, and its streams are not ended.
    case unloadsSilently
    /// A director leaves memory and is taken for loaded when its records come.
    case followsUnloaded
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
    /// A director is given away, and its owner goes on as one.
    case givesUnresigned
    /// A director that was perhaps given away is taken back without a look.
    case takesBackAtOnce
    /// A director that is gone by the journal is left as it is where this node has owned it.
    case endUntold
    /// A director that is gone by the journal before its owner has looked at it once is left as it is.
    case endUnseen
    /// A director's beginning is told before the follower knows of it.
    case notesBegunLate
    /// A director whose beginning is stored is taken for the host's that has begun it, which had to go for another life.
    case displacedUnseen
    /// A director whose handing over has no answer is taken for this node's.
    case handoverIsFailure
    /// What a node begins to own with is read without looking whose it is.
    case adoptsTaken
    /// A change in doubt is taken for lost where a snapshot stands for its record.
    case prunedIsFailure
    /// A node goes on under a term that others have raised.
    case trustsAnyTerm
    /// A change that waits while its director is lost is stored once the director is given back.
    case keepsQueued
    /// A lease that is renewed counts before everything was looked at.
    case renewalIsEnough
    /// An owner answers reads until its loop has taken note that the director is lost.
    case losesLater
    /// An owner answers reads of a director whose end others may have seen.
    case readsEnding
    /// An owner answers reads of a director whose beginning is not stored.
    case readsUnborn
    /// An owner answers reads after its lease has run out.
    case leaseIgnored

    var testDescription: String { rawValue }
}
