import DirectorLife

/// Commands that would hold up the director's loop are carried out on a copy of its state, on another thread.
extension DirectorHost {
    /// A command that waits for its turn.
    package typealias WaitingCommand = @Sendable (isolated DirectorHost) -> Void

    /// How often the state that commands start from has changed.
    package var workingCount: Int { life.workingCount }

    /// Whether the next reload may take long: since the newest version a long command has changed the list.
    package var hasMuchToPublish: Bool { longChangeVersion == life.working.version }

    /// Takes note of what a long command has done, before it is committed.
    package func noteLongCommand(_ draft: LifeDraft) {
        if draft.isChange, draft.director.version == life.working.version { longChangeVersion = life.working.version }
    }

    /// Whether a command has to wait, since a long one is under way; asked once for each command.
    package func mustWaitForTurn() -> Bool { turns.mustWait() }

    /// Has a command wait: it is called when its turn has come, and asks once more.
    package func waitForTurn(_ command: @escaping WaitingCommand) { turns.wait(command) }

    /// Begins a long command: those that come meanwhile wait for their turn.
    package func beginLongCommand() { turns.begin() }

    /// Ends a long command, and begins those that have waited for it, in order, up to the next long one.
    package func endLongCommand() {
        turns.end()
        while let command = turns.next() { command(self) }
    }
}
