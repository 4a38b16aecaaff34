import DequeModule
import DirectorLife
import HTTPServer
import HTTPWire
import Reactor

/// One client's event stream: a position in the feed of each director it follows.
///
/// Lives on its connection's loop. The connection pulls the next event whenever it can write, so nothing is queued
/// here but what brings a new or late client up to date, and that is shared with all others in the same place.
package actor Subscription: LoopActor, BodyProducer {
    package nonisolated let loop: EventLoop
    /// Which stream it is.
    package nonisolated let identity: StreamIdentity

    private let streams: LoopStreams
    // SAFETY: a cursor asks its hub for an entry, and neither knows a subscription.
    @exclusivity(unchecked) private(set) var cursors: [FeedCursor]
    private(set) var handle: StreamHandle?
    let permit: (any StreamPermit)?
    /// What is sent before anything else, the first event last.
    // SAFETY: a frame is bytes.
    @exclusivity(unchecked) private var preamble: [EventFrame]
    /// The long event that is being sent; nothing else is sent before its end.
    private var transfer: LongTransfer?
    private var lastSent: LoopInstant
    // What is small lies together: there are as many subscriptions as subscribers.
    private let terms: SubscriptionTerms
    let isShared: Bool
    private var isAwaitingTurn = false
    private var hasTurn = false
    private var isEnding = false
    private var isHeartbeatDue = false
    /// Why the stream ends, until its last event is sent.
    private var farewell: StreamEvent.EndReason?
    private var turn: Int32 = 0
    /// Its place among the streams of the loop; nil while it is not among them.
    var place: Int32?

    /// Makes a stream over one or several directors; it begins when its connection does.
    ///
    /// - Parameters:
    ///   - loop: The connection's loop.
    ///   - identity: Which stream it is, for those who list streams.
    ///   - streams: The streams of that loop.
    ///   - sources: The directors, at least one.
    ///   - terms: What the client holds and how it wants to begin.
    ///   - preamble: What is sent before anything else.
    ///   - isShared: True where the client asked for several directors, even if all but one are gone.
    ///   - permit: Whether the stream may go on, asked about once a second; nil where it always may.
    package init(
        loop: EventLoop, identity: StreamIdentity, streams: LoopStreams, sources: [any FeedSource],
        terms: SubscriptionTerms,
        preamble: [EventFrame], isShared: Bool, permit: (any StreamPermit)? = nil
    ) {
        self.loop = loop
        self.identity = identity
        self.streams = streams
        self.terms = terms
        self.preamble = preamble.reversed()
        self.isShared = isShared
        self.permit = permit
        cursors = sources.map { FeedCursor(source: $0, version: terms.token?.version(in: $0.epoch)) }
        lastSent = loop.now
    }

    // MARK: The connection's side

    package nonisolated func streamStarted(_ handle: StreamHandle) {
        onLoop(handle) { $0.start($1) }
    }

    package nonisolated func next() -> Production {
        onLoop(()) { stream, _ in stream.produce() }
    }

    package nonisolated func connectionClosed() {
        onLoop(()) { stream, _ in stream.close() }
    }

    package nonisolated func serverIsClosing() {
        onLoop(()) { stream, _ in stream.finish(reason: .closing) }
    }

    private func start(_ handle: StreamHandle) {
        self.handle = handle
        place = streams.onLoop(self) { $0.add($1) }
        for index in cursors.indices { ask(index, for: terms) }
    }

    private func close() {
        endTransfer()
        for index in cursors.indices { detach(index) }
        handle = nil
        if let place = place.take() { streams.onLoop(place) { $0.remove(at: $1) } }
    }

    // MARK: Producing

    private func produce() -> Production {
        if let frame = nextOfPreamble() { return .frame(frame) }
        if let transfer { return nextPiece(of: transfer) }
        for _ in cursors.indices where !isEnding {
            let index = Int(turn)
            turn = index + 1 == cursors.count ? 0 : turn + 1
            switch take(index) {
            case .newest(let frame) where cursors.count == 1:
                noteSent()
                return .latest(frame)
            case .newest(let frame), .event(.frame(let frame)), .charged(.frame(let frame)):
                noteSent()
                if cursors.count == 1 { return .frame(frame) }
                return .frame(streams.assumeIsolated { [id = token()] in $0.frame(frame, id: id) })
            case .event(.long(let event)), .charged(.long(let event)):
                return nextPiece(of: begin(event))
            case .nothing, .passed:
                break
            }
        }
        if let reason = farewell.take() {
            let event = StreamEvent.end(director: isShared ? nil : cursors[0].source.name, reason: reason)
            return .frame(event.frame(id: token()))
        }
        if isEnding || cursors.allSatisfy(\.isOver) { return .end }
        // Before a director has answered, nothing is known that a heartbeat could say.
        if isHeartbeatDue, cursors.contains(where: { $0.hub != nil }) {
            noteSent()
            return .frame(heartbeat())
        }
        return .pending
    }

    private func nextOfPreamble() -> EventFrame? {
        guard let frame = preamble.popLast() else { return nil }
        // Its memory is freed: a stream is quiet for most of its life.
        if preamble.isEmpty { preamble = [] }
        return frame
    }

    private func noteSent() {
        lastSent = loop.now
        isHeartbeatDue = false
    }

    /// The next event of one director. If the feed has moved past, the director is asked.
    private func take(_ index: Int) -> FeedCursor.Next {
        let next = cursors[index].next()
        switch next {
        case .charged(.frame(let frame)): handle?.buffers.letGo(frame)
        case .passed:
            var late = terms
            let epoch = cursors[index].source.epoch
            late.token = cursors[index].version.map { ResumeToken(places: [.init(epoch: epoch, version: $0)]) }
            late.catchUp = .one
            ask(index, for: late, isLate: true)
        case .charged, .event, .newest, .nothing: break
        }
        if cursors[index].hasMoved { isEnding = true }
        return next
    }

    // MARK: Long events

    private func begin(_ event: LongEvent) -> LongTransfer {
        let transfer = LongTransfer(event)
        self.transfer = transfer
        streams.assumeIsolated { $0.begin(event) }
        return transfer
    }

    /// The next piece of a long event, if it is the stream's turn; the last one has the event's end.
    private func nextPiece(of transfer: LongTransfer) -> Production {
        guard hasTurn else {
            if !isAwaitingTurn { streams.assumeIsolated { $0.awaitTurn(self) } }
            isAwaitingTurn = true
            return .later
        }
        hasTurn = false
        noteSent()
        let (index, event, encoder) = (transfer.index, transfer.event, transfer.encoder)
        let piece = streams.assumeIsolated { $0.piece(index, of: event, from: encoder) }
        guard piece.after.isComplete else {
            transfer.advance(behind: piece)
            return .bytes(SharedBytes(piece.bytes))
        }
        endTransfer()
        var bytes = piece.bytes
        ServerSentEvent.appendEnd(id: token(), to: &bytes)
        return .bytes(SharedBytes(bytes))
    }

    /// Sends a piece if the connection can write now. A turn is not kept: what is written later is another turn's.
    func takeTurn() {
        isAwaitingTurn = false
        hasTurn = true
        handle?.wake()
        hasTurn = false
    }

    private func endTransfer() {
        guard let transfer = transfer.take() else { return }
        if transfer.isCharged { handle?.buffers.letGo(transfer.event.keepers, size: transfer.event.memory) }
        let event = transfer.event
        streams.assumeIsolated { $0.end(event) }
    }

    /// Charges what a long event holds once the director has dropped it; where there is no room, the stream is cut off.
    func chargeTransfer() {
        guard let transfer, !transfer.isCharged, !transfer.event.isRetained, let handle else { return }
        if handle.buffers.keep(transfer.event.keepers, size: transfer.event.memory) {
            transfer.isCharged = true
        } else {
            handle.buffers.noteRefusal(of: .stream)
            handle.close()
        }
    }

    // MARK: The directors' side

    /// Asks a director to bring this stream up to date; its answer arrives through the loop's queue.
    private func ask(_ index: Int, for terms: SubscriptionTerms, isLate: Bool = false) {
        cursors[index].isWaiting = true
        cursors[index].source.open(terms, on: loop, isLate: isLate) { opening, hub in
            self.send { $0.receive(opening, from: hub, at: index, isLate: isLate) }
        }
    }

    private func receive(_ opening: Opening, from hub: FeedHub, at index: Int, isLate: Bool) {
        guard let handle else {
            // A member has left the hub when it closed; a stream that was on its way gives its place up.
            if !isLate { hub.onLoop(()) { hub, _ in hub.giveUpPlace() } }
            return
        }
        if cursors[index].hub == nil {
            cursors[index].memberID = hub.onLoop(handle) { $0.join($1) }
            cursors[index].hub = hub
        }
        cursors[index].backlog = Deque(opening.events)
        cursors[index].position = opening.position
        cursors[index].end = opening.end
        cursors[index].isWaiting = false
        handle.wake()
        chargeBacklog(of: index)
    }

    /// Charges what the connection has not taken at once. A stream for which there is no memory is ended: its client comes
    /// back where it was.
    private func chargeBacklog(of index: Int) {
        guard let handle, !cursors[index].backlog.isEmpty else { return }
        let buffers = handle.buffers
        let frames = cursors[index].backlog.compactMap(\.frame)
        for (count, frame) in frames.enumerated() where !buffers.keep(frame) {
            for frame in frames.prefix(count) { buffers.letGo(frame) }
            buffers.noteRefusal(of: .stream)
            return handle.close()
        }
        cursors[index].isBacklogCharged = true
    }

    private func detach(_ index: Int) {
        if cursors[index].isBacklogCharged, let handle {
            for frame in cursors[index].backlog.compactMap(\.frame) { handle.buffers.letGo(frame) }
            cursors[index].isBacklogCharged = false
        }
        cursors[index].backlog = []
        guard let hub = cursors[index].hub else { return }
        let member = cursors[index].memberID
        hub.onLoop(member) { $0.leave($1) }
        cursors[index].hub = nil
        cursors[index].end = .over
    }

    // MARK: Time

    /// Ends the stream if it may not go on.
    func checkPermit() {
        if !isEnding, let reason = permit?.endReason { finish(reason: reason) }
    }

    /// Sends a heartbeat if nothing was sent since `moment`.
    func beat(ifSilentSince moment: LoopInstant) {
        guard lastSent <= moment, let handle, !isEnding else { return }
        isHeartbeatDue = true
        handle.wake()
    }

    /// Sends `end` after what is already under way, and closes.
    package func finish(reason: StreamEvent.EndReason) {
        // A stream that has handed out its directors' own ends is over already.
        guard !isEnding, !cursors.allSatisfy({ $0.isOver && $0.backlog.isEmpty }) else { return }
        isEnding = true
        farewell = reason
        handle?.wake()
    }
}
