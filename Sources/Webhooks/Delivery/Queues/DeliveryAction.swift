import Directors
import Reactor

/// What the queues want done.
enum DeliveryAction: Sendable {
    /// Store these changes and say what came of the write with this number.
    case write(Int, [DeliveryChange])
    /// Try this delivery and say what came of it.
    case attempt(Delivery)
    /// Tell whoever has notified under this number.
    case answer(Int, Result<[String], NotifyRefusal>)
    /// Tell whoever has asked for another attempt under this number.
    case answerRetry(Int, Result<Delivery, RetryRefusal>)
    /// Tell whoever has removed a dead delivery under this number.
    case answerRemoval(Int, Result<Void, RemovalRefusal>)
    /// Tell whoever has released a director under this number that nothing of it is on its way to the store.
    case answerRelease(Int)
}

/// What came of an attempt.
enum AttemptOutcome: Sendable, Hashable {
    /// The receiver has taken it.
    case delivered
    /// It has not arrived, or was not taken, for this reason; the receiver may have said when to come back.
    case failed(String, retryAfter: Duration? = nil)
    /// There is nobody to send it to: what waits for the hook goes dead, if it is of a generation before this.
    case hookGone(String, before: Int)
    /// The receiver wants nothing more: what waits for the hook goes dead, if it is of a generation before this.
    case disabled(String, before: Int)
    /// It was not tried, for lack of room.
    case crowded
    /// It is not known, or it was not tried, since the server is closing.
    case abandoned
}

/// A moment on both clocks.
struct Moment: Sendable, Hashable {
    /// What delays are measured on.
    var loop: LoopInstant
    /// What is stored and shown.
    var wall: WallTime
}
