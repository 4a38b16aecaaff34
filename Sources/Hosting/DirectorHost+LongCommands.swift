import DirectorLife

/// Commands that would hold up the director's loop are carried out on a copy of its state, on another thread.
extension DirectorHost {
    /// A command that waits for its turn.
    package typealias WaitingCommand = @Sendable (isolated DirectorHost) -> Void

    /// How often the state that commands start from has changed.
    package var workingCount: Int { life.workingCount }

    /// Has a command wait while a long one is under way; returns false if it may begin.
    ///
    /// Whatever waits is called when its turn has come, and asks once more.
    package func waitForTurn(_ command: @escaping WaitingCommand) -> Bool { turns.wait(command) }

    /// Begins a long command: those that come meanwhile wait for their turn.
    package func beginLongCommand() { turns.begin() }

    /// Ends a long command, and begins those that have waited for it, in order, up to the next long one.
    package func endLongCommand() {
        turns.end()
        while let command = turns.next() { command(self) }
    }
}
