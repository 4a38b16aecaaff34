/// A guarantee that does not hold.
struct Violation: Error, CustomStringConvertible {
    /// What is wrong.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Ends the history where a guarantee does not hold.
func require(_ condition: Bool, _ violation: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(violation()) }
}
