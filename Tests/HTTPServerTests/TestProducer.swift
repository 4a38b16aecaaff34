import HTTPServer
import HTTPWire
import Reactor
import Synchronization

/// A producer whose pieces the test decides on, and that records what the server did with it.
final class TestProducer: BodyProducer {
    struct State: Sendable {
        var pieces: [Production] = []
        var handle: StreamHandle?
        /// The loop of the connection.
        var loop: EventLoop?
        var asked = 0
        var started = 0
        var closings = 0
        var closed = 0
        /// What follows when the server says that it is closing.
        var farewell: [Production] = [.end]
        /// Whether the pieces begin again when they have all gone.
        var isEndless = false
        /// What is answered where no piece is left: the last that was no piece.
        var idle = Production.pending
    }

    private let state: Mutex<State>

    init(_ pieces: [Production] = [], isEndless: Bool = false, farewell: [Production] = [.end]) {
        state = Mutex(State(pieces: pieces, farewell: farewell, isEndless: isEndless))
    }

    var snapshot: State { state.withLock { $0 } }

    /// Adds pieces and wakes the connection, on its loop.
    func produce(_ pieces: [Production]) {
        guard let handle = snapshot.handle else { return }
        snapshot.loop?.execute {
            self.state.withLock { $0.pieces += pieces }
            handle.wake()
        }
    }

    func streamStarted(_ handle: StreamHandle) {
        state.withLock {
            $0.handle = handle
            $0.loop = EventLoop.current
            $0.started += 1
        }
    }

    func next() -> Production {
        state.withLock { state in
            state.asked += 1
            guard let piece = state.pieces.first else { return state.idle }
            if !state.isEndless { state.pieces.removeFirst() }
            switch piece {
            case .later, .pending: state.idle = piece
            default: break
            }
            return piece
        }
    }

    func serverIsClosing() {
        state.withLock {
            $0.closings += 1
            $0.pieces += $0.farewell
        }
    }

    func connectionClosed() { state.withLock { $0.closed += 1 } }
}

extension Production {
    static func event(_ data: String, id: String? = nil) -> Production {
        .frame(EventFrame(ServerSentEvent(event: "test", data: Array(data.utf8), id: id)))
    }

    static func text(_ text: String) -> Production { .bytes(SharedBytes(Array(text.utf8))) }
}
