import Foundation

/// The middle one of some readings, the upper of two; of none, zero.
func median(_ durations: [Duration]) -> Duration {
    durations.isEmpty ? .zero : durations.sorted()[durations.count / 2]
}

/// Takes a result where the optimiser cannot see that nobody reads it.
@inline(never)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}

/// Ends the program because what was measured is not what it was taken for: a time for it would mean nothing.
func refute(_ claim: String) -> Never {
    FileHandle.standardError.write(Data("callboard-benchmarks: \(claim)\n".utf8))
    exit(1)
}

extension Duration {
    /// With the unit that suits the size, microseconds below one millisecond.
    var inWords: String {
        let microseconds = self / .microseconds(1)
        return microseconds < 1_000
            ? String(format: "%.2f us", microseconds) : String(format: "%.3f ms", microseconds / 1_000)
    }
}

extension Int {
    /// The digits in groups of three, as the names of results have them.
    var grouped: String {
        let digits = String(self)
        return digits.indices.reduce(into: "") { text, place in
            if place > digits.startIndex, digits.distance(from: place, to: digits.endIndex) % 3 == 0 { text += "," }
            text.append(digits[place])
        }
    }
}

/// Numbers that are the same in every run (SplitMix64; Steele, Lea and Flood 2014), so that runs can be compared.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Starts the sequence of a seed.
    init(seed: UInt64) {
        state = seed
    }

    /// The next number of the sequence.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Whether there is time for another round: at least as many as are worth a median, and at most what the budget holds.
struct RoundBudget {
    private let least: Int
    private let most: Int
    private let end: ContinuousClock.Instant
    private var done = 0

    /// Begins counting time.
    init(least: Int, most: Int, time: Duration) {
        self.least = least
        self.most = most
        end = ContinuousClock.now + time
    }

    /// Counts a round and says whether to run it.
    mutating func next() -> Bool {
        guard done < least || done < most && ContinuousClock.now < end else { return false }
        done += 1
        return true
    }
}
