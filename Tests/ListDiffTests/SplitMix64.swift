import Foundation

/// A small generator whose run is repeated by its seed (Steele, Lea and Flood's SplitMix64).
struct SplitMix64: RandomNumberGenerator {
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

    /// A number below a small bound. It is not free of bias, and need not be.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
    }
}

/// The seed of this run: `CALLBOARD_SEED` if it is set, so that a failure can be repeated.
let runSeed: UInt64 = {
    if let text = ProcessInfo.processInfo.environment["CALLBOARD_SEED"], let seed = UInt64(text) {
        return seed
    }
    return UInt64.random(in: 0...UInt64.max)
}()
