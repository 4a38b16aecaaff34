internal import HTTPWire

/// The requests of a connection that the application has and has not answered, and those that wait for their turn.
struct InFlightRequests {
    /// The outcome for a complete request.
    enum Admission {
        /// The application gets it now.
        case admitted
        /// It waits until others are answered.
        case waits
        /// There is no room for it to wait.
        case refused
    }

    private let limit: Int
    private let maxWaitingBytes: Int
    /// Requests that are not answered.
    private(set) var count = 0
    /// The bytes of the requests that wait.
    private(set) var waitingBytes = 0
    private var waiting = ArrayQueue<HTTP2Request>()
    /// Requests that are not answered though their streams are closed.
    private var closed: Set<UInt32> = []

    init(_ limits: HTTP2Limits) {
        limit = limits.maxInFlight
        maxWaitingBytes = limits.maxWaitingBytes
    }

    /// Takes a complete request.
    mutating func offer(_ request: HTTP2Request) -> Admission {
        if count < limit {
            count += 1
            return .admitted
        }
        guard waitingBytes + request.size <= maxWaitingBytes else { return .refused }
        waitingBytes += request.size
        waiting.append(request)
        return .waits
    }

    /// Takes note that the application owes one more answer: to a request that has waited, or that is given up.
    mutating func admit() { count += 1 }

    /// Takes note that a stream has closed whose request is not answered: it holds its place until it is.
    mutating func close(_ stream: StreamID) { closed.insert(stream.number) }

    /// Takes note that a request is answered.
    mutating func release() { count -= 1 }

    /// Takes note that a request is answered whose stream has closed; false where there is none such.
    mutating func release(closed stream: StreamID) -> Bool {
        guard closed.remove(stream.number) != nil else { return false }
        count -= 1
        return true
    }

    /// Takes the request that has waited longest, if there is room for it; `admit` follows where its stream is open.
    mutating func next() -> HTTP2Request? {
        guard count < limit, let request = waiting.popFirst() else { return nil }
        waitingBytes -= request.size
        return request
    }

    /// Forgets what waits: the connection is over.
    mutating func removeWaiting() {
        waiting = ArrayQueue()
        waitingBytes = 0
    }
}
