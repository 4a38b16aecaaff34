import JSONLogic
import JSONValues
import Testing

/// An expression, the data and the value that comes of them, each as JSON text.
struct Case: Sendable, CustomTestStringConvertible {
    let expression: String
    let data: String
    let value: String

    init(_ expression: String, _ value: String) {
        self.init(expression, "null", value)
    }

    init(_ expression: String, _ data: String, _ value: String) {
        self.expression = expression
        self.data = data
        self.value = value
    }

    var testDescription: String {
        "\(expression) on \(data)"
    }
}

/// Evaluates an expression on data, both as JSON text.
func evaluate(_ expression: String, _ data: String = "null", limits: LogicLimits = LogicLimits()) throws -> String {
    try read(expression, limits: limits).evaluate(LogicData(.json(JSONDocument(data).root))).json.text
}

/// Reads an expression from JSON text.
func read(_ expression: String, limits: LogicLimits = LogicLimits()) throws -> LogicExpression {
    try LogicExpression(JSONDocument(expression, maximumDepth: 512).root, limits: limits)
}

/// Why an expression gives no value, with the pointer; nil where it gives one.
func failure(
    _ expression: String, _ data: String = "null", limits: LogicLimits = LogicLimits()
) throws -> LogicEvaluationError? {
    let read = try read(expression, limits: limits)
    let root = try JSONDocument(data).root
    do throws(LogicEvaluationError) {
        _ = try read.evaluate(LogicData(.json(root)))
        return nil
    } catch {
        return error
    }
}

/// Why an expression is refused, with the pointer; nil where it is read.
func refusal(_ expression: String, limits: LogicLimits = LogicLimits()) throws -> LogicError? {
    let root = try JSONDocument(expression, maximumDepth: 512).root
    do throws(LogicError) {
        _ = try LogicExpression(root, limits: limits)
        return nil
    } catch {
        return error
    }
}
