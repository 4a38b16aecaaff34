import HTTPServer
import Notation
import Reactor
import Synchronization

/// Which stream a stream is.
package struct StreamIdentity: Sendable, Hashable {
    /// The number of the request that has opened it: no other stream of the server has it.
    package let number: UInt64
    /// When that was, in milliseconds since 1970.
    package let since: Int

    /// Makes an identity.
    package init(number: UInt64, since: Int) {
        self.number = number
        self.since = since
    }
}

extension StreamIdentity: Comparable {
    /// Orders by age, the oldest first.
    package static func < (one: Self, other: Self) -> Bool {
        (one.since, one.number) < (other.since, other.number)
    }
}

/// A stream as it is listed.
package struct StreamListing: Sendable {
    /// Its position in one director's feed.
    package struct Position: Sendable, Hashable {
        /// The director's name.
        package let director: String
        /// The version that the client holds once everything handed out has arrived; nil where it holds none yet.
        package let version: Int?
        /// How many versions that is behind the newest.
        package let lag: Int?
    }

    /// Which stream it is.
    package let identity: StreamIdentity
    /// The directors that it follows, without those that are over.
    package let positions: [Position]
    /// Its connection; nil where that is just gone.
    package let connection: StreamConnection?
    /// The credential that the stream depends on, and so the principal that opened it; nil if the stream depends on
    /// none.
    package let permit: (any StreamPermit)?
}

extension FeedCursor {
    /// Where the stream stands.
    var listed: StreamListing.Position {
        // A version that the client's token names is not known to be one until the director has answered.
        let held = hub == nil ? nil : version
        return StreamListing.Position(
            director: source.name, version: held, lag: held.map { max(0, source.newestVersion - $0) })
    }
}

extension Subscription {
    /// The stream as it is listed; nil where only streams of another director are asked for.
    package func listing(following director: String?) -> StreamListing? {
        let positions = positions
        if let director, !positions.contains(where: { $0.director.isVerbatim(director) }) { return nil }
        return StreamListing(
            identity: identity, positions: positions, connection: handle?.connection, permit: permit)
    }
}

/// Asks the streams of several loops, and says when all have answered.
///
/// Each loop asks a few of its streams in a turn, so that many streams delay nobody.
package final class StreamQuestion<Answer: Sendable>: Sendable {
    private let state: Mutex<(answers: [Answer], loops: Int)>
    private let ask: @Sendable (isolated Subscription) -> Answer?
    private let completion: @Sendable ([Answer]) -> Void

    /// Asks.
    ///
    /// - Parameters:
    ///   - streams: The streams of each loop.
    ///   - ask: Asked on the loop of each stream; nil is no answer.
    ///   - completion: Called once, on one of the loops, with all answers in no order; at once where there is no loop.
    @discardableResult
    package init(
        _ streams: [LoopStreams], _ ask: @escaping @Sendable (isolated Subscription) -> Answer?,
        completion: @escaping @Sendable ([Answer]) -> Void
    ) {
        state = Mutex(([], streams.count))
        self.ask = ask
        self.completion = completion
        if streams.isEmpty { completion([]) }
        for streams in streams { streams.send { $0.answer(self, below: .max) } }
    }

    /// Asks some streams of one loop, on that loop.
    func put(to streams: ArraySlice<Subscription>) {
        let answers = streams.compactMap { $0.onLoop(ask) { $1($0) } }
        if !answers.isEmpty { state.withLock { $0.answers += answers } }
    }

    /// Notes that all streams of a loop have been asked.
    func finish() {
        let answers = state.withLock { state -> [Answer]? in
            state.loops -= 1
            return state.loops == 0 ? state.answers : nil
        }
        if let answers { completion(answers) }
    }
}

extension LoopStreams {
    /// Streams that are asked before other work of the loop gets its turn.
    static let askedInTurn = 256

    /// Has streams answer a question, those at the last places first.
    ///
    /// A stream that leaves is replaced by the one at the last place, which has been asked before: so none is left out that
    /// is there from the beginning to the end, and one may be asked twice.
    func answer<Answer>(_ question: StreamQuestion<Answer>, below end: Int) {
        let end = min(end, streams.count)
        let start = max(0, end - Self.askedInTurn)
        question.put(to: streams[start..<end])
        guard start > 0 else { return question.finish() }
        send { $0.answer(question, below: start) }
    }
}
