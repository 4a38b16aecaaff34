import DirectorLife

/// One node's part of a director: its life, and what has to be in it.
final class Node {
    /// A command that is not answered yet.
    struct Pending {
        let id: CommandID
        /// What it had stored; nil for a command that only waits.
        let written: Written?
        /// Whether something that it stood on was lost.
        var isLost = false
    }

    /// Which node.
    let index: Int
    /// The life; nil where the node knows of none, or is down.
    var subject: Subject? { didSet { isTouched = true } }
    /// Whether anything has happened to the life since it was last checked.
    var isTouched = false
    /// Whether it runs.
    var isUp = true
    /// Whether it holds itself for the one that writes.
    var isWriter: Bool
    /// How many records of the journal's log it has performed or was told of.
    var told = 0

    /// The director as this node has to show it; nil while it is being created.
    var stored: Model?
    /// The director as the next command has to find it.
    var working: Model?
    /// The number of the newest record that the node was told of.
    var storedNumber = 0
    /// The number of the newest record that the node has handed over.
    var workingNumber = 0
    /// The commands that are not answered, in order.
    var pending: [Pending] = []
    /// The answers that are kept.
    var notes: [Int: Note] = [:]
    /// The keys that are in flight, or questions.
    var begun: [Int: Int] = [:]
    /// The questions that wait, oldest first.
    var questions: [Key] = []
    /// The id of the newest command.
    var lastID = 0

    init(index: Int, isWriter: Bool) {
        self.index = index
        self.isWriter = isWriter
    }

    /// Takes a life that was just read or created.
    func begin(_ subject: Subject, stored: Model?, working: Model, number: Int) {
        forget()
        self.subject = subject
        self.stored = stored
        self.working = working
        (storedNumber, workingNumber) = (number, number)
    }

    /// Lets go of the life.
    func forget() {
        subject = nil
        (stored, working) = (nil, nil)
        (storedNumber, workingNumber, lastID) = (0, 0, 0)
        pending = []
        notes = [:]
        begun = [:]
        questions = []
    }

    /// Gives up the questions that wait, since another node writes now.
    func resign() {
        isWriter = false
        for key in questions {
            subject?.life.abandon(Fixture.key(key))
            begun[key.name] = nil
        }
        questions = []
    }

    /// What a key has to mean at a time.
    func meaning(of key: Key, now: Int) -> AnswerStore.Lookup {
        if let fingerprint = begun[key.name] { return fingerprint == key.fingerprint ? .inFlight : .mismatch }
        guard let note = notes[key.name], note.expires > now else { return .new }
        return note.fingerprint == key.fingerprint ? .repeated(Fixture.answer(key, note)) : .mismatch
    }
}

extension Fixture {
    /// The key as a life takes it.
    static func key(_ key: Key) -> CommandKey {
        CommandKey("k\(key.name)", fingerprint: UInt64(key.fingerprint))
    }

    /// The answer as a life keeps it.
    static func answer(_ key: Key, _ note: Note) -> StoredAnswer {
        StoredAnswer(
            key: "k\(key.name)", fingerprint: UInt64(note.fingerprint), body: note.body, expires: note.expires)
    }
}
