import Directors

/// An attempt to make a delivery that has failed.
package struct DeliveryAttempt: Sendable, Hashable {
    /// When it began.
    package let began: WallTime
    /// How long it took, until it had failed.
    package let took: Duration
    /// Why it failed, a sentence without its full stop.
    package let error: String

    /// Notes an attempt, with a text that is cut to a length.
    init(began: WallTime, took: Duration, error: String) {
        self.began = began
        self.took = took
        self.error = error.shortened(to: Self.maximumErrorLength)
    }

    /// How many are kept of a delivery, the latest ones: as many as the default schedule makes.
    package static let maximumCount = 10
    /// The most bytes of UTF-8 that ``error`` has.
    private static let maximumErrorLength = 256
}

/// A delivery with its attempts.
package struct TracedDelivery: Sendable, Hashable {
    /// The delivery.
    package let delivery: Delivery
    /// The latest attempts of this process that have failed, oldest first, those before a retry included.
    package let attempts: [DeliveryAttempt]
}
