/// When a stream is dialled again, and when it counts as dead.
public struct ReconnectPolicy: Sendable {
    /// The wait before the first attempt where the server has not asked for another with `retry:`.
    public var initialDelay: Duration
    /// The longest wait between two attempts, unless the server asks for a longer one with `retry:`, of an hour at most.
    public var maximumDelay: Duration
    /// How long a stream may bring nothing, heartbeats included, before it is given up.
    public var silenceLimit: Duration
    /// How long the server may take to answer a request for a stream.
    public var connectTimeout: Duration
    /// How often in a row to try before the stream fails; nil never stops.
    public var maximumAttempts: Int?

    /// Makes a policy; the server sends a heartbeat every 15 s unless told otherwise, so 45 s are two missed ones.
    public init(
        initialDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(30),
        silenceLimit: Duration = .seconds(45), connectTimeout: Duration = .seconds(15),
        maximumAttempts: Int? = nil
    ) {
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.silenceLimit = silenceLimit
        self.connectTimeout = connectTimeout
        self.maximumAttempts = maximumAttempts
    }

    /// The wait before an attempt: doubled with each that failed, up to the maximum, of which a random part between
    /// half and all is taken so that clients that were cut off together do not come back together.
    ///
    /// - Parameters:
    ///   - failures: the attempts that have failed in a row, 0 right after a connection that worked.
    ///   - serverDelay: what the server asked for with `retry:`; it takes the place of the initial delay.
    ///   - random: a number from 0 up to 1.
    func delay(failures: Int, serverDelay: Duration?, random: Double) -> Duration {
        let longest = max(serverDelay ?? .zero, maximumDelay)
        let doubled = (serverDelay ?? initialDelay) * Double(1 << min(max(failures, 0), 20))
        return min(doubled, longest) * (0.5 + random / 2)
    }
}
