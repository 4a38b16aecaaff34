import JSONLogic
import JSONValues

/// Evaluates what one row says, for the row as a whole and for its elements.
struct RowEvaluator {
    let settings: RowSettings
    private var data: LogicData
    private let (modelPlace, indexPlace): (Int, Int)

    /// - Parameters:
    ///   - settings: What the row says.
    ///   - section: The section that it is in.
    ///   - evaluation: The reload's evaluation.
    init(_ settings: RowSettings, in section: Section, _ evaluation: inout RowEvaluation) {
        self.settings = settings
        func text(_ string: String?) -> LogicValue { string.map { .string($0) } ?? .null }
        let attributes = section.attributes.values
        let surroundings: LogicValue =
            settings.reads.readsSection
            ? .object([
                "id": text(section.identifier), "headerTitle": text(attributes.headerTitle),
                "footerTitle": text(attributes.footerTitle),
            ]) : .null
        data = LogicData(members: [
            "variables": evaluation.variables(for: settings.reads), "section": surroundings,
            "row": .object(["id": .string(settings.identifier)]), "model": .null, "index": .null,
        ])
        guard let modelPlace = data.place(of: "model"), let indexPlace = data.place(of: "index") else {
            preconditionFailure("both members are there")
        }
        (self.modelPlace, self.indexPlace) = (modelPlace, indexPlace)
    }

    /// Evaluates what holds for the row as a whole: everything that reads no element.
    mutating func common(_ evaluation: inout RowEvaluation) throws(RowFailure) -> EvaluatedMembers {
        var common = EvaluatedMembers()
        if let rule = settings.hideWhen, !settings.asksEach(rule.reads) {
            common.isHidden = try isHidden(rule, &evaluation)
            if common.isHidden { return common }
        }
        if let rule = settings.height, !settings.asksEach(rule.reads) {
            common.height = try length(rule, "/height", &evaluation)
        }
        if let rule = settings.estimatedHeight, !settings.asksEach(rule.reads) {
            common.estimatedHeight = try length(rule, "/estimatedHeight", &evaluation)
        }
        if let template = settings.additionalConfig, !settings.asksEach(template.reads) {
            common.config = try config(template, &evaluation)
        }
        return common
    }

    /// Evaluates what reads an element; nil where the element is hidden.
    ///
    /// - Parameters:
    ///   - common: What holds for the row as a whole.
    ///   - element: The element.
    ///   - index: Its position in the row.
    ///   - evaluation: The reload's evaluation.
    mutating func evaluate(
        _ common: EvaluatedMembers, for element: Element, at index: Int, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> EvaluatedMembers? {
        data[modelPlace] = .json(element.value.document.root)
        data[indexPlace] = .integer(index)
        do {
            return try evaluate(common, &evaluation)
        } catch {
            throw RowFailure(pointer: error.pointer, detail: error.detail + ", for the element at @\(index) of the row")
        }
    }

    private mutating func evaluate(
        _ common: EvaluatedMembers, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> EvaluatedMembers? {
        var own = common
        if let rule = settings.hideWhen, settings.asksEach(rule.reads), try isHidden(rule, &evaluation) { return nil }
        if let rule = settings.height, settings.asksEach(rule.reads) {
            own.height = try length(rule, "/height", &evaluation)
        }
        if let rule = settings.estimatedHeight, settings.asksEach(rule.reads) {
            own.estimatedHeight = try length(rule, "/estimatedHeight", &evaluation)
        }
        if let template = settings.additionalConfig, settings.asksEach(template.reads) {
            own.config = try config(template, &evaluation)
        }
        return own
    }

    private func isHidden(_ rule: RowRule, _ evaluation: inout RowEvaluation) throws(RowFailure) -> Bool {
        guard let expression = rule.expression else { return rule.source.bytes.first == UInt8(ascii: "t") }
        return try evaluation.holds(expression, on: data, pointer: "/hideWhen")
    }

    private func length(
        _ rule: RowRule, _ pointer: String, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> JSONValue? {
        guard let expression = rule.expression else { return rule.source }
        let value = try evaluation.value(of: expression, on: data, pointer: pointer)
        if value.kind == .null { return nil }
        guard value.kind == .number, let length = value.double, (0...1e9).contains(length), let json = try? value.json
        else {
            throw RowFailure(
                pointer: pointer,
                detail: "a height is a number from 0 to 1e9, or null for none; the expression gives "
                    + (value.kind == .number ? "another number" : value.kind.phrase))
        }
        return json
    }

    private func config(
        _ template: ConfigTemplate, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> JSONValue {
        try template.filled { hole throws(RowFailure) in
            try evaluation.value(of: hole.expression, on: data, pointer: "/additionalConfig" + hole.pointer)
        }
    }
}

/// What the expressions of a row give.
struct EvaluatedMembers: Equatable, Sendable {
    /// Whether the row is hidden as a whole; nothing else is evaluated then.
    var isHidden = false
    var height: JSONValue?
    var estimatedHeight: JSONValue?
    var config: JSONValue?

    /// What subscribers are told of an element with these values.
    ///
    /// - Parameters:
    ///   - settings: The row's settings.
    ///   - adapter: The element's adapter as it is registered, or a constant row's own.
    func display(_ settings: RowSettings, _ adapter: CellAdapter) -> RowDisplay {
        let cell = settings.cell ?? adapter.cell
        let reuseIdentifier =
            settings.reuseIdentifier ?? (settings.cell == nil ? adapter.reuseIdentifier : cell)
        return RowDisplay(
            RowDisplay.Values(
                row: settings.identifier, cell: cell, reuseIdentifier: reuseIdentifier, height: height,
                estimatedHeight: estimatedHeight, config: config),
            model: settings.kind == .model ? adapter.model : nil)
    }
}
