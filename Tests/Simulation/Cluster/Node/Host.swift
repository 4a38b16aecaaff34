import DirectorLife
import Journal

/// One node's part of a life: the life under test, and who waits for it.
final class Host {
    let name: LifeName
    var life: DirectorLife
    /// The commands that are not answered, in order: the change, and a reader that waits for those before it.
    var requesters: [(id: CommandID, change: Change?, reader: WaitingReader?)] = []
    /// Told once nothing is in flight any more.
    var releasing: Release?
    /// Whether this node's loop takes it for the life's owner, and how many messages wait that end that.
    var isOwner: Bool
    var losses = 0
    /// Whether this node writes the life, as other threads see it.
    var isOwned: Bool { isOwner && losses == 0 }
    /// Whether its numbers have to be checked.
    var isTouched = true

    init(_ life: DirectorLife) {
        self.life = life
        name = LifeName(director: life.name, epoch: life.epoch)
        isOwner = life.role == .owner
    }
}

/// Lives that are to be given to other nodes once nothing of them is in flight.
final class Release {
    let lives: [FollowerMachine.Handover]
    var left: Int

    init(_ lives: [FollowerMachine.Handover], left: Int) {
        self.lives = lives
        self.left = left
    }
}

/// A client that waits until what is in flight is settled.
struct WaitingReader {
    let message: Message
    /// Whether the node has looked at the database for it.
    let hasLooked: Bool
}

/// What waits in the queue of a node's loop.
enum Message {
    /// What became of the oldest record in flight.
    case settle(Host, StorageError?)
    case follow(Host, [LifeRecord])
    case resign(Host, Release)
    /// Another node has taken the life.
    case lose(Host)
    case inherit(Host, [StoredAnswer], ownership: Int)
    case end(Host, DirectorLife.Ending)
    case retire(Host)
    /// A client reads a director, and has to see at least this.
    case read(String, Acknowledged?)
    /// A subscriber connects.
    case connect(StreamRequest)

    /// Which director a client asks for; nil for what is no client's.
    var name: String? {
        switch self {
        case .read(let name, _): name
        case .connect(let request): request.subscriber.name
        default: nil
        }
    }
}

/// The newest record of a name that a client was told of.
struct Acknowledged {
    /// Which life it is of, and its number.
    let life: Int
    let number: Int
    /// Whether it was the deletion.
    let isEnd: Bool
}
