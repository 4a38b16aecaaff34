import Foundation

/// A generator whose numbers follow from its seed (SplitMix64), so that a failure can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &self) == 0
    }

    /// The seed of this run: `CALLBOARD_SEED` where it is set, else a new one, printed either way.
    static func seedOfRun(_ property: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["CALLBOARD_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("\(property): CALLBOARD_SEED=\(seed)")
        return seed
    }
}
