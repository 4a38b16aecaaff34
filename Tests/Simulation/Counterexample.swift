/// A history that a simulation plays: any part of it is a history too.
protocol SimulatedHistory {
    associatedtype Step
    associatedtype Fault

    /// What happens, in order.
    var steps: [Step] { get set }
    /// What there is before the first step.
    var beginning: String { get }

    /// What goes wrong in it; nil where nothing does.
    func violation(fault: Fault?) -> String?
}

/// Makes random histories.
protocol HistorySource {
    associatedtype History: SimulatedHistory

    /// The next one.
    mutating func history() -> History
}

/// A history that goes wrong, as short as it could be made.
struct Counterexample<History: SimulatedHistory>: CustomStringConvertible {
    /// How many histories it took.
    let number: Int
    private(set) var history: History
    /// What goes wrong.
    private(set) var violation: String

    var description: String {
        let steps = history.steps.enumerated().map { "\($0 + 1). \($1)" }
        return ([violation, history.beginning] + steps).joined(separator: "\n")
    }

    /// Removes every step without which the history still goes wrong.
    fileprivate mutating func shrink(fault: History.Fault?) {
        var position = history.steps.count
        while position > 0 {
            position -= 1
            var fewer = history
            fewer.steps.remove(at: position)
            guard let violation = fewer.violation(fault: fault) else { continue }
            (history, self.violation) = (fewer, violation)
        }
    }
}

extension HistorySource {
    /// Looks for a history that goes wrong, and shortens it.
    mutating func counterexample(among count: Int, fault: History.Fault? = nil) -> Counterexample<History>? {
        for number in 1...count {
            let history = history()
            guard let violation = history.violation(fault: fault) else { continue }
            var found = Counterexample(number: number, history: history, violation: violation)
            found.shrink(fault: fault)
            return found
        }
        return nil
    }
}
