import Directors
import HashTreeCollections
import JSONLogic
import JSONValues
import Notation

/// Evaluates a view's expressions on elements of its source, one pass long.
struct ElementEvaluation {
    /// The result for an element.
    enum Outcome {
        /// The element does not belong.
        case excluded
        /// The element belongs.
        case included(MemberContent)
        /// An expression has no value for the element.
        case failed(Fault)

        /// Whether the element belongs.
        var isIncluded: Bool { if case .included = self { true } else { false } }
    }

    /// The steps that all expressions of a view may take on one element together.
    static let stepLimit = LogicLimits().steps

    let plan: ViewPlan
    private var data: ViewData
    private var keys: [Name: SectionKey] = [:]

    /// How many elements have been evaluated.
    private(set) var count = 0

    init(_ plan: ViewPlan, variables: TreeDictionary<Name, JSONValue>) {
        self.plan = plan
        data = ViewData(plan, variables: variables)
    }

    /// Takes the section that the following elements are of.
    mutating func enter(_ section: Section) {
        data.set(section, plan.reads)
    }

    /// Evaluates all expressions on an element.
    ///
    /// - Complexity: O(*n*) in the length of the element's value, and the steps of the expressions, which are bounded.
    mutating func outcome(of element: Element) -> Outcome {
        count += 1
        data.set(element, plan.reads)
        do {
            return try content().map { .included($0) } ?? .excluded
        } catch {
            return .failed(error.fault)
        }
    }

    /// The values of an element that belongs; nil of one that does not.
    private mutating func content() throws(ElementFailure) -> MemberContent? {
        // The definition is long: it is not copied for each element.
        var (steps, content) = (0, MemberContent())
        if let condition = plan.definition.condition {
            let holds = try ElementFailure.catching("/where") { () throws(LogicEvaluationError) in
                try condition.holds(data.members, addingSteps: &steps)
            }
            if !holds { return nil }
        }
        if let key = plan.definition.sectioning?.grouping?.key {
            content.section = try sectionKey(key, &steps)
        }
        for (index, rule) in plan.definition.sort.enumerated() {
            let key = try value(of: rule.key, "/sortBy/\(index)/key", &steps, rule.collation)
            if index == 0 { content.leading = rule.direction == .descending ? ~key.leading : key.leading }
            content.keys.append(key)
        }
        for total in plan.definition.totals { content.amounts.append(try amount(of: total, &steps)) }
        return content
    }

    private func value(
        of expression: LogicExpression?, _ pointer: @autoclosure () -> String, _ steps: inout Int,
        _ collation: ViewSortRule.Collation = .scalars
    ) throws(ElementFailure) -> SortKey {
        guard let expression else { return .null }
        let value = try ElementFailure.catching(pointer()) { () throws(LogicEvaluationError) in
            try expression.evaluate(data.members, addingSteps: &steps)
        }
        guard steps <= ElementEvaluation.stepLimit else {
            throw ElementFailure(
                pointer(), "the view's expressions take more than \(ElementEvaluation.stepLimit) steps together")
        }
        guard let key = SortKey(value, collation: collation) else {
            throw ElementFailure(pointer(), "the value is longer than \(SortKey.maximumLength) bytes")
        }
        return key
    }

    private mutating func sectionKey(
        _ expression: LogicExpression, _ steps: inout Int
    ) throws(ElementFailure) -> SectionKey {
        let order = try value(of: expression, "/sectionBy/key", &steps)
        let identifier =
            if case .text(let bytes) = order { String(decoding: bytes, as: UTF8.self) } else {
                String(decoding: order.json, as: UTF8.self)
            }
        if Name.hasControls(identifier) {
            throw ElementFailure("/sectionBy/key", "a section's id has no control characters")
        }
        if let known = keys[identifier], known.order == order { return known }
        let key = SectionKey(identifier: identifier, order: order)
        keys[identifier] = key
        return key
    }

    private func amount(of total: ViewTotal, _ steps: inout Int) throws(ElementFailure) -> SortKey? {
        func pointer() -> String { "/totals/\(JSONPointer.escape(total.name))/\(total.function.rawValue)" }
        let value = try value(of: total.expression, pointer(), &steps)
        if case .null = value { return nil }
        switch total.function {
        case .count: return nil
        case .min, .max: return value
        case .sum, .average:
            guard case .number(let number) = value else {
                throw ElementFailure(pointer(), "only numbers are added up")
            }
            if case .integer = number { return value }
            guard ExactSum.accepts(number.decimal) else {
                throw ElementFailure(pointer(), "the number has more digits than can be added up")
            }
            return value
        }
    }

    /// The title of a section; nil for none, as where the expression has no value or none that is a text.
    mutating func title(of key: SectionKey) -> String? {
        guard let expression = plan.definition.sectioning?.grouping?.title else { return key.identifier }
        data.set(key: key.order.value)
        guard let value = try? expression.evaluate(data.members) else { return key.identifier }
        if value.kind == .null { return nil }
        var text: [UInt8] = []
        return value.appendText(to: &text) ? String(decoding: text, as: UTF8.self) : key.identifier
    }
}

/// Why an element is left out of a view.
private struct ElementFailure: Error {
    let fault: Fault

    init(_ pointer: String, _ detail: String) {
        fault = Fault(pointer: pointer, detail: detail)
    }

    static func catching<Value>(
        _ pointer: @autoclosure () -> String, _ evaluate: () throws(LogicEvaluationError) -> Value
    ) throws(ElementFailure) -> Value {
        do {
            return try evaluate()
        } catch {
            throw ElementFailure(pointer() + error.pointer, "the expression has no value: \(error.reason)")
        }
    }
}
