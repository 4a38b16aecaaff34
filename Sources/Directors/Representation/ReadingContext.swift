import JSONLogic
import JSONValues

/// What is known while a body is read besides its faults: how much it may still bring in, and the expressions that need not
/// be read again.
///
/// The bounds hold for what a request brings. What was stored was accepted once, and is read whatever the bounds are.
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
