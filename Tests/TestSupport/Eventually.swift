/// Waits until a condition holds that something in the background brings about.
///
/// The condition is asked where the caller runs, every other millisecond.
///
/// - Parameters:
///   - what: The condition in words, for the error.
///   - condition: Tells whether it holds.
/// - Throws: ``ConditionNeverHeld`` after a minute, which is for a machine that has other things to do; or what the
///   condition throws.
package nonisolated(nonsending) func eventually(
    _ what: String, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !(try await condition()) {
        guard ContinuousClock.now < end else { throw ConditionNeverHeld(what: what) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// A condition did not hold within a minute, or was another one than expected.
package struct ConditionNeverHeld: Error, CustomStringConvertible {
    /// What was waited for.
    package let what: String

    /// Says what was waited for, or expected.
    package init(what: String) {
        self.what = what
    }

    package var description: String { "never: \(what)" }
}
