import DequeModule

/// Keeps a director's commands in the order in which they came while a long one is carried out beside the loops.
///
/// Commands that come meanwhile wait. Each belongs to a request that is under way, so the bounds on requests bound them.
struct LongCommandTurns<Command: Sendable>: Sendable {
    private var waiting: Deque<Command> = []
    /// Whether a long command is under way.
    private(set) var isUnderWay = false
    /// Whether the command that asks next is one whose turn has come.
    private var hasTurn = false

    /// How many commands wait.
    var waitingCount: Int { waiting.count }

    /// Notes that a long command begins.
    mutating func begin() { isUnderWay = true }

    /// Notes that the long command has ended.
    mutating func end() { isUnderWay = false }

    /// Whether a command has to wait; one that begins uses its turn up.
    mutating func mustWait() -> Bool {
        if hasTurn {
            hasTurn = false
            return false
        }
        return isUnderWay || !waiting.isEmpty
    }

    /// Has a command wait.
    mutating func wait(_ command: Command) { waiting.append(command) }

    /// Takes the command whose turn it is, which then asks once more; nil if none waits, or a long one is under way.
    mutating func next() -> Command? {
        guard !isUnderWay, let command = waiting.popFirst() else { return nil }
        hasTurn = true
        return command
    }
}
