import JSONLogic
import JSONValues

/// The state of reading a body, besides its faults: its remaining bounds, and the expressions that are compiled
/// already.
///
/// The bounds hold for what a request brings. A stored body was accepted once, and is read whatever the bounds are.
struct ReadingContext {
    private var sections = Int.max
    private var sectionLimit = Int.max
    private var expressionBytes = Int.max
    private var expressionLimit = Int.max

    /// Whether names are new, and not what was stored or refers to that.
    var checksNames = false

    /// Expressions by their texts: an expression that a body repeats, or a patch leaves unchanged, is compiled once.
    private var expressions: [[UInt8]: LogicExpression] = [:]

    /// Reads without bounds.
    init() {}

    /// Reads what a request brings.
    ///
    /// - Parameter limits: The director's; nil for what was stored.
    init(_ limits: DirectorLimits?) {
        guard let limits else { return }
        checksNames = limits.checksIdentifiers
        sectionLimit = min(limits.sections, limits.sectionsOfRequest)
        sections = sectionLimit
        expressionLimit = limits.expressionLength
        expressionBytes = expressionLimit
    }

    /// Counts a section before it is read; what is wrong where there are too many.
    mutating func takeSection() -> String? {
        sections -= 1
        return sections < 0 ? "a request brings in at most \(sectionLimit) sections; send them in several" : nil
    }

    /// The expression of a text, where one was read.
    func expression(_ text: [UInt8]) -> LogicExpression? {
        expressions.isEmpty ? nil : expressions[text]
    }

    /// Counts an expression before it is read; what is wrong where they are too long together.
    mutating func takeExpression(_ length: Int) -> String? {
        expressionBytes -= length
        return expressionBytes < 0
            ? "the expressions of a request take at most \(expressionLimit) bytes together; send them in several" : nil
    }

    /// Keeps an expression that was read.
    mutating func keep(_ expression: LogicExpression) {
        expressions[expression.source.bytes] = expression
    }
}
