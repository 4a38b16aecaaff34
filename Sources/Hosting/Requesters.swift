import DequeModule
import DirectorLife

/// The callers of a director's commands, in the order in which these were accepted.
struct Requesters {
    /// The caller of one command: a request, or a hook's answer.
    private struct Requester {
        let id: CommandID
        var completion: (@Sendable (StorageError?) -> Void)?
    }

    private var waiting = Deque<Requester>()

    /// Adds who is to be told of the command that was accepted last.
    mutating func add(_ id: CommandID, _ completion: @escaping @Sendable (StorageError?) -> Void) {
        waiting.append(Requester(id: id, completion: completion))
    }

    /// Takes who is to be told of a command, the oldest one without an answer; nil where nobody is told any more.
    mutating func take(_ id: CommandID) -> (@Sendable (StorageError?) -> Void)? {
        guard let requester = waiting.popFirst() else { return nil }
        precondition(requester.id == id, "commands are answered in the order in which they were accepted")
        return requester.completion
    }

    /// Takes all who wait, so that they are told something else; the answers of their commands are told to nobody.
    mutating func takeAll() -> [@Sendable (StorageError?) -> Void] {
        waiting.indices.compactMap { waiting[$0].completion.take() }
    }
}
