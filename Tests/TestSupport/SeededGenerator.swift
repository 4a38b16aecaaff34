import Foundation

/// A generator whose numbers follow from its seed, so that a failure can be run again.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a generator; the same seed gives the same numbers.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next number, any of all that there are.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below a small bound, quickly. It is not free of bias, and need not be.
    package mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
    }

    /// True once in so many times.
    package mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &self) == 0
    }

    /// True in so many of a hundred times.
    package mutating func percent(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}

/// The seed of this run: `CALLBOARD_SEED` where it is set, so that a failure can be repeated, else a new one.
package let runSeed: UInt64 =
    ProcessInfo.processInfo.environment["CALLBOARD_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)

/// How many times as many random cases are tried as in a run beside other tests: `CALLBOARD_TEST_LENGTH`, 1 where it is not set.
package let runLength = ProcessInfo.processInfo.environment["CALLBOARD_TEST_LENGTH"].flatMap { Int($0) } ?? 1

extension SeededGenerator {
    /// The seed of this run, printed with the property that it is used for.
    package static func seedOfRun(_ property: String) -> UInt64 {
        print("\(property): CALLBOARD_SEED=\(runSeed)")
        return runSeed
    }
}
