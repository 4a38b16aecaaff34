/// A fault that a simulation plants in a node's decisions, to see that it is found.
package enum PlantedFault: String, CaseIterable, Sendable {
    /// A new connection is read from before a write of its own is acknowledged by the standbys.
    case noBarrier
    /// Everything is looked at only when the connection is new or a caller asks for it.
    case hintsAlone
    /// Changes are read from where the look over another connection has ended.
    case trustsImage
    /// Records are read behind one number for all lives.
    case globalCursor
    /// A director that is asked for and not loaded stays so.
    case asksUnloaded
    /// Callers are answered while the director is read that they ask for.
    case answersUnloaded
    /// An unloaded director is not taken from an owner that is gone.
    case leavesUnloaded
    /// A director that has left memory counts as loaded.
    case followsUnloaded
    /// A director is adopted before its records are read.
    case adoptsUnread
    /// A director is adopted without looking whose it is.
    case adoptsTaken
    /// A director is adopted by what was read before a look has found another owner.
    case adoptsLate
    /// A node that loses a director takes the newest record's number for its own.
    case losesWithoutReading
    /// A node that has lost a director goes on writing it.
    case keepsWriting
    /// A director whose handing over failed is owned again without a look.
    case takesBackAtOnce
    /// The end of a director that this node has owned is not told.
    case endUntold
    /// The end of a director is not noticed that this node has begun and that no look has found.
    case endUnseen
    /// A director's beginning is told before the follower knows of it.
    case notesBegunLate
    /// A stored director counts as written here although the host that has begun it is gone.
    case displacedUnseen
    /// A director whose handing over has no answer counts as this node's.
    case handoverIsFailure
    /// The database's clock decides which leases have run out.
    case trustsClock
    /// A node without a connection to the database counts as ended.
    case goneUnprobed
    /// A renewed lease counts before everything was looked at.
    case renewalIsEnough
    /// Callers of a look that has failed are answered as if it had succeeded.
    case failedLookAnswers
    /// A director that cannot be read fails the look.
    case unreadableFailsLook
    /// A director that cannot be read is shown as it was.
    case unreadableIsShown
    /// A director that could not be read once is never read again.
    case unreadableForever
    /// A director that this node has begun counts as over where a look cannot read its row.
    case damagedIsOver
    /// A director whose row cannot be read is handed over.
    case givesDamaged
    /// A commit whose answer is lost is reported as failed.
    case doubtIsFailure
    /// The terms of lives in doubt are not raised.
    case doubtWithoutTerm
    /// All attempts to connect have one incarnation.
    case attemptsCountLate
    /// A change in doubt counts as lost where a snapshot stands for its record.
    case prunedIsFailure
    /// A node goes on under a term that others have raised.
    case trustsAnyTerm
    /// A change that was made under an earlier ownership is stored.
    case keepsQueued
    /// The half of a pair of records counts as stored whose life was found as it was to be.
    case storesHalfPair
    /// What became of a pair in doubt is known by one of its lives alone.
    case doubtsHalfPair
    /// A node that has registered again goes on with its connection and incarnation.
    case registersWithoutRaising
}

/// The fault that is planted in a value; none in a release, where asking for one costs nothing.
package struct PlantedFaults: Sendable {
    #if DEBUG
        private var fault: PlantedFault?
    #endif

    /// Plants a fault; a release takes none.
    package init(_ fault: PlantedFault? = nil) {
        #if DEBUG
            self.fault = fault
        #endif
    }

    /// Whether a fault is planted.
    @inline(__always)
    func has(_ fault: PlantedFault) -> Bool {
        #if DEBUG
            self.fault == fault
        #else
            false
        #endif
    }
}
