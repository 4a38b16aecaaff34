import HTTP2Engine
import HTTPWire

/// A source whose parts follow from the input, and which checks when it is asked.
final class HTTP2FuzzSource: HTTP2Source {
    let stream: UInt32
    /// What `wake` takes; nil where nothing will be asked.
    var key: HTTP2StreamKey?
    /// Whether the stream was reported closed.
    var isClosed = false
    /// Whether it said that there is nothing now, and was not woken since.
    private(set) var isPending = false
    /// Whether it was woken in its turn: it is asked again at once then.
    private var wasWoken = false
    private var hasEnded = false
    private weak var exercise: HTTP2Exercise?

    private static let small = EventFrame(ServerSentEvent(event: "small", data: Array("{}".utf8)))
    private static let large = EventFrame(ServerSentEvent(event: "large", data: [UInt8](repeating: 120, count: 20_000)))
    private static let empty = EventFrame(ServerSentEvent())

    init(stream: UInt32, exercise: HTTP2Exercise) {
        self.stream = stream
        self.exercise = exercise
    }

    func woken() {
        isPending = false
        wasWoken = true
    }

    func nextPart() -> HTTP2Part {
        guard let exercise else { return .end }
        let report = exercise.report
        report.expect(!hasEnded, "stream \(stream)'s source is asked after its end")
        report.expect(!isClosed, "stream \(stream)'s source is asked after the stream was closed")
        report.expect(!isPending, "stream \(stream)'s source is asked before it was woken")
        wasWoken = false
        exercise.actWhilePulled()
        exercise.partsLeft -= 1
        let choice = exercise.partsLeft > 0 ? exercise.input.below(10) : 0
        report.note(4, choice)
        switch choice {
        case 1, 2: return give(Self.small)
        case 3: return give(Self.large)
        case 4: return give(Self.empty)
        case 5: return give(count: exercise.input.below(256))
        case 6: return give(count: exercise.input.number() >> 1)
        case 7, 8, 9:
            if choice == 9, let key {
                woken()
                exercise.machine.wake(key)
            }
            isPending = !wasWoken
            return .pending
        default:
            hasEnded = true
            return .end
        }
    }

    private func give(_ frame: EventFrame) -> HTTP2Part {
        exercise?.checker.given[stream, default: []] += frame.storage[frame.payload]
        return .frame(frame)
    }

    /// A range within an array, which may reach beyond its end.
    private func give(count: Int) -> HTTP2Part {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ Int(stream)) }
        let start = min(3, count)
        exercise?.checker.given[stream, default: []] += bytes[start...]
        return .bytes(bytes, start..<(count & 1 == 0 ? count : count + 9))
    }
}
