internal import HTTPWire

/// One open stream, as the machine's table holds it. An idle event stream has one of these and nothing else of ours.
struct HTTP2Stream {
    /// Where the stream is. Each case holds what is known in it and nothing else.
    ///
    /// `discarded` counts the bytes of the request's content that were thrown away; nil once the client has sent everything.
    enum State {
        /// The place in the table is free.
        case free
        /// Fields arrive, or the request was malformed or refused and is being reset.
        case head
        /// A request's content arrives.
        case content(Incoming)
        /// The request is complete, but others have to be answered first.
        case waiting
        /// The application owes an answer, which has no content if `isHead`, whatever its fields say.
        case answering(discarded: Int?, isHead: Bool)
        /// An answer was given, and its end is not sent.
        case sending(discarded: Int?)
        /// The answer is sent, and the client goes on with its request.
        case lingering(discarded: Int)
        /// The driver or a bound has ended the stream; the reset is on its way.
        case reset(Debt)
    }

    /// The application's debt to a stream that is being reset.
    enum Debt {
        /// Nothing yet: it does not have the request.
        case none
        /// An answer, or a reset of its own: until then the request holds its place in flight.
        case answer
        /// Nothing any more.
        case paid
    }

    /// A request whose content is not complete.
    final class Incoming {
        let head: RequestHead
        let headSize: Int
        /// The most content that it may have.
        var maxBody: Int
        var content: [UInt8] = []
        /// Bytes since progress was last reported.
        var progress = 0
        /// When there was progress.
        var progressed: UInt64
        /// Bytes of trailers.
        var trailersSize = 0
        /// Whether 100 (Continue) is owed.
        var owesContinue: Bool

        /// The bytes that are kept of it.
        var size: Int { headSize + content.count }

        init(head: RequestHead, headSize: Int, maxBody: Int, now: UInt64) {
            self.head = head
            self.headSize = headSize
            self.maxBody = maxBody
            progressed = now
            owesContinue = head.expectsContinue
        }
    }

    let id: Int32
    /// Whether the driver has seen an event of the stream.
    var isAnnounced = false
    private(set) var state: State
    /// The content that `sending` has to send; empty in every other state. It stands beside the state, since a case's
    /// values cannot be changed in place: to move them out and back took a third of a frame's time.
    var content = AnswerContent()
    /// Since when the stream is known to wait for the client only; 0 where it does not.
    var blockedSince: UInt64 = 0

    init(id: Int32, state: State = .head) {
        self.id = id
        self.state = state
    }

    /// The debt if the stream is reset now.
    var debt: Debt {
        switch state {
        case .free, .head, .content, .waiting: .none
        case .answering: .answer
        case .sending, .lingering: .paid
        case .reset(let debt): debt
        }
    }

    /// Goes to another state, with the content of an answer if that is to be sent.
    ///
    /// - Returns: The stream as it was: the caller lets go of it once the table has changed.
    @discardableResult
    mutating func change(to next: State, sending content: AnswerContent = AnswerContent()) -> HTTP2Stream {
        let last = self
        (state, self.content, blockedSince) = (next, content, 0)
        return last
    }

    // MARK: Requests that nobody reads

    /// The bytes of content that were thrown away; nil if the client has sent everything or its request is still read.
    private var discarded: Int? {
        get {
            switch state {
            case .answering(let discarded, _), .sending(let discarded): discarded
            case .lingering(let discarded): discarded
            case .free, .head, .content, .waiting, .reset: nil
            }
        }
        set {
            switch state {
            case .answering(_, let isHead): state = .answering(discarded: newValue, isHead: isHead)
            case .sending: state = .sending(discarded: newValue)
            case .lingering(let discarded): state = .lingering(discarded: newValue ?? discarded)
            case .free, .head, .content, .waiting, .reset: break
            }
        }
    }

    /// Takes note that the client has sent everything.
    mutating func finishRequest() { discarded = nil }

    /// Counts content that nobody needs any more; returns whether all of it is more than `limit`.
    mutating func discard(_ count: Int, limit: Int) -> Bool {
        guard let before = discarded else { return false }
        discarded = before + count
        return before + count > limit
    }

    /// Takes note that the answer's end is sent; returns whether the client goes on with its request.
    mutating func finishAnswer() -> Bool {
        guard case .sending(let discarded?) = state else { return false }
        state = .lingering(discarded: discarded)
        return true
    }
}
