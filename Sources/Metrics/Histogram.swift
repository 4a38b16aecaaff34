/// Counts numbers by size: a value with one owner. ``SharedHistogram`` counts from any thread.
package struct Histogram: Sendable, Hashable {
    /// The unit of the numbers, and so their written form.
    package enum Unit: Sendable, Hashable {
        /// Microseconds, written as seconds.
        case microseconds
        /// Things, written as they are.
        case count
    }

    /// The upper bounds of the buckets, ascending; one more bucket takes what is above the last.
    package let bounds: [Int]
    /// The unit of the numbers and of the bounds.
    package let unit: Unit
    /// How many numbers fell into each bucket: those not above its bound and above the one before.
    package private(set) var counts: [Int]
    /// The sum of all numbers.
    package private(set) var sum = 0

    /// Makes an empty histogram.
    package init(_ unit: Unit, bounds: [Int]) {
        self.unit = unit
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    fileprivate init(_ unit: Unit, bounds: [Int], counts: [Int], sum: Int) {
        self.unit = unit
        self.bounds = bounds
        self.counts = counts
        self.sum = sum
    }

    /// How many numbers there were.
    package var count: Int { counts.reduce(0, +) }

    /// Counts a number. O(*b*) in the buckets.
    package mutating func record(_ number: Int) {
        counts[bounds.firstIndex { number <= $0 } ?? bounds.count] += 1
        sum += number
    }

    /// Counts a duration, in a histogram of microseconds.
    package mutating func record(_ duration: Duration) {
        record(Int(duration / .microseconds(1)))
    }
}

/// Counts numbers by size, from any thread without a lock.
package final class SharedHistogram: Sendable {
    private let unit: Histogram.Unit
    private let bounds: [Int]
    private let counts: [Counter]
    private let sum = Counter()

    /// Makes an empty histogram.
    package init(_ unit: Histogram.Unit, bounds: [Int]) {
        self.unit = unit
        self.bounds = bounds
        counts = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts a number: two additions. O(*b*) in the buckets.
    package func record(_ number: Int) {
        counts[bounds.firstIndex { number <= $0 } ?? bounds.count].add()
        sum.add(number)
    }

    /// The counts; each number is right for some moment during the call.
    package var current: Histogram {
        Histogram(unit, bounds: bounds, counts: counts.map(\.current), sum: sum.current)
    }
}
