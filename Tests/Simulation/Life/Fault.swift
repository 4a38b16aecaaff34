/// A fault that is planted around a life, to see that the simulation finds it.
enum Fault: String, CaseIterable {
    /// A version is sent to subscribers when its command is committed.
    case publishedBeforeStored
    /// A command is answered when it is committed.
    case answeredBeforeStored
    /// The working state keeps what was lost.
    case workingStateKeptAfterLoss
    /// A record that stood on a lost one is acknowledged.
    case laterRecordAcknowledged
    /// Numbers go on after a loss as if nothing was lost.
    case numberKeptAfterLoss
    /// The key of a lost command stays in flight.
    case keyKeptAfterLoss
    /// An answer is kept when its command is committed.
    case answerKeptAtCommit
    /// A restart finds no answers.
    case answersLostByRestart
    /// The beginning of a refused batch stays.
    case halfBatch
    /// A snapshot has what is not stored yet.
    case snapshotOfWorkingState
    /// A deletion that was lost goes on refusing commands.
    case lostDeletionRefuses
    /// A creation that was lost is not forgotten.
    case lostCreationKept
    /// Nobody who resumes is told that the definition has changed.
    case definitionVersionForgotten
    /// One of the changesets that a client missed is left out.
    case changesetLeftOut
    /// A node that follows performs a record twice.
    case followsTwice
    /// A node that follows leaves a record out.
    case followsNothing
    /// A lost answer takes later changes with it.
    case lostAnswerTakesChanges
    /// Of two commands that are answered at a time the later one is first.
    case answersReversed
    /// The dispatcher is told of hooks that are not stored yet.
    case hooksToldBeforeStored
    /// Subscribers are not told that the director was deleted.
    case endNotTold
    /// A version is sent twice.
    case publishedTwice
    /// A node that follows does not keep answers.
    case followerKeepsNoAnswers
    /// A command that is refused leaves its cause.
    case causeOfRefusedCommand
    /// The cause of a command that was lost stays.
    case causeKeptAfterLoss
    /// A restart finds no causes that wait.
    case causesLostByRestart
    /// A node that follows does not learn of causes.
    case followerLearnsNoCauses
    /// Causes that a version has shown wait for the next one again.
    case causesShownAgain
    /// The changeset over several versions lacks the newest cause.
    case causeLeftOut
}
