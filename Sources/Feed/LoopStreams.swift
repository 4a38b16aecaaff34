import DequeModule
import DirectorLife
import HTTPWire
import Reactor
import Synchronization

/// All event streams of one loop: counts them, sends heartbeats through one timer for all, and gives those that are sent a
/// long event their turns.
///
/// A timer for each of ten thousand streams would be re-armed at every event; one pass a second over an array costs
/// some hundred microseconds and nothing in between.
package actor LoopStreams: LoopActor {
    /// The loop that the streams live on.
    package nonisolated let loop: EventLoop

    /// How many streams the loop carries; readable from any thread, for `/metrics`.
    package nonisolated let count = Atomic<Int>(0)

    private let heartbeat: Duration
    private let interval: Duration
    /// Each stream knows its place.
    private(set) var streams: [Subscription] = []
    private var timer: ScheduledTimer?
    private var waiting = Deque<Subscription>()
    private var areTurnsDue = false
    private var pieces = PieceCache()
    /// The newest event that was given a stream's own id, with the event that it was made of.
    private var renamed: (event: EventFrame, id: String?, frame: EventFrame)?

    /// Pieces of long events that all streams together send before other work of the loop gets its turn.
    static let slice = 2

    /// Makes an empty set; `heartbeat` is the silence after which a stream says that it is alive.
    package init(loop: EventLoop, heartbeat: Duration) {
        self.loop = loop
        self.heartbeat = heartbeat
        // A pass is early by at most an interval, never late by more.
        interval = min(.seconds(1), max(.milliseconds(10), heartbeat / 8))
    }

    /// Adds a stream.
    ///
    /// - Returns: Its place, until it is told another one.
    func add(_ stream: Subscription) -> Int32 {
        streams.append(stream)
        count.store(streams.count, ordering: .relaxed)
        if timer == nil { scheduleSweep() }
        return Int32(streams.count - 1)
    }

    /// Removes a stream whose connection is gone. The last one takes its place.
    func remove(at place: Int32) {
        let last = streams.removeLast()
        if place < streams.count {
            streams[Int(place)] = last
            last.onLoop(place) { $0.place = $1 }
        }
        count.store(streams.count, ordering: .relaxed)
    }

    // MARK: Events of several directors

    /// An event with the id of a stream of several directors; streams that are in the same place share it.
    ///
    /// The newest one is kept until the loop's next turn: streams of the same directors ask for it one after the other.
    ///
    /// - Complexity: O(1) where the stream before asked for the same, else O(*n*) in the bytes of the event.
    func frame(_ event: EventFrame, id: String?) -> EventFrame {
        if let newest = renamed, newest.event === event, newest.id == id { return newest.frame }
        if renamed == nil { loop.execute { self.assumeIsolated { $0.renamed = nil } } }
        let frame = event.replacingID(with: id)
        renamed = (event, id, frame)
        return frame
    }

    // MARK: Long events

    /// Pieces of long events that were encoded on this loop.
    var piecesEncoded: Int { pieces.encoded }

    /// The bytes of pieces that are kept because several streams are sent them.
    var pieceBytes: Int { pieces.bytes }

    /// Notes that a stream begins with an event; see ``PieceCache/begin(_:)``.
    func begin(_ event: LongEvent) { pieces.begin(event) }

    /// Notes that a stream is through with an event, or gone.
    func end(_ event: LongEvent) { pieces.end(event) }

    /// A piece of an event; see ``PieceCache/piece(_:of:from:)``.
    func piece(_ index: Int, of event: LongEvent, from encoder: EventEncoder) -> PieceCache.Piece {
        pieces.piece(index, of: event, from: encoder)
    }

    /// Has a stream send one piece in a later turn of the loop, after all that ask for it already.
    func awaitTurn(_ stream: Subscription) {
        waiting.append(stream)
        scheduleTurns()
    }

    private func scheduleTurns() {
        guard !areTurnsDue else { return }
        areTurnsDue = true
        loop.execute { self.assumeIsolated { $0.giveTurns() } }
    }

    private func giveTurns() {
        var budget = Self.slice
        // A stream that asks again at once has its next turn in this one only where no others wait.
        while budget > 0, let stream = waiting.popFirst() {
            stream.assumeIsolated { $0.takeTurn() }
            budget -= 1
        }
        areTurnsDue = false
        if !waiting.isEmpty { scheduleTurns() }
    }

    // MARK: Time

    private func scheduleSweep() {
        timer = loop.schedule(after: interval) { self.assumeIsolated { $0.sweep() } }
    }

    private func sweep() {
        timer = nil
        guard !streams.isEmpty else { return }
        let moment = loop.now - min(loop.now, heartbeat.nanoseconds)
        for stream in streams {
            stream.onLoop(moment) { stream, moment in
                stream.chargeTransfer()
                stream.checkPermit()
                stream.beat(ifSilentSince: moment)
            }
        }
        scheduleSweep()
    }
}
