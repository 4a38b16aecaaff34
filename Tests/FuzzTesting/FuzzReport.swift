/// What an exercise found.
///
/// Not `Sendable`: one exercise fills it in.
package final class FuzzReport {
    /// The claims that did not hold, in words; empty where the code under test is right.
    package private(set) var faults: [String] = []
    /// What happened, as numbers below 2¹⁶: a fuzzer keeps inputs that bring new ones, also where the code that leads to them
    /// is in a library that is not instrumented.
    package private(set) var features: Set<UInt16> = []
    private var latest = 0

    /// Makes an empty report.
    package init() {}

    /// Takes note of a claim that has to hold; only the first faults are kept.
    func expect(_ holds: Bool, _ claim: @autoclosure () -> String) {
        if !holds, faults.count < 8 { faults.append(claim()) }
    }

    /// Takes note that something happened, alone and as what came after the newest one.
    func note(_ kind: Int, _ value: Int = 0) {
        let number = (kind &* 67 &+ value) & 0xFF
        features.insert(UInt16(number))
        features.insert(UInt16((latest &* 251 &+ number &+ 256) & 0xFFFF))
        latest = number
    }

    /// Takes note that something happened, named by a text.
    func note(_ kind: Int, _ text: String) {
        note(kind, text.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF })
    }
}
