import JSONLogic
import JSONValues

/// Evaluates what one row says, for the row as a whole and for its elements.
struct RowEvaluator {
    let settings: RowSettings
    private let section: Section

    /// The data that expressions are evaluated on; made for the first expression.
    private var data: LogicData?

    /// Data whose members are all null, and where these are in it.
    private static let blank = LogicData(members: [
        "variables": .null, "section": .null, "row": .null, "model": .null, "index": .null,
    ])
    private static let places = (
        variables: place(of: "variables"), section: place(of: "section"), row: place(of: "row"),
        model: place(of: "model"), index: place(of: "index")
    )

    private static func place(of member: String) -> Int {
        guard let place = blank.place(of: member) else { preconditionFailure("all members are there") }
        return place
    }

    /// - Parameters:
    ///   - settings: What the row says.
    ///   - section: The section that it is in.
    init(_ settings: RowSettings, in section: Section) {
        self.settings = settings
        self.section = section
    }

    /// The inputs of the row's expressions, besides an element.
    private func surroundings(_ evaluation: inout RowEvaluation) -> LogicData {
        let (reads, places) = (settings.reads, RowEvaluator.places)
        var data = RowEvaluator.blank
        data[places.variables] = evaluation.variables(for: reads)
        if reads.readsSection {
            func text(_ string: String?) -> LogicValue { string.map { .string($0) } ?? .null }
            let attributes = section.attributes.values
            evaluation.charge(reading: section.attributes.textLength)
            data[places.section] = .object([
                "id": text(section.identifier), "headerTitle": text(attributes.headerTitle),
                "footerTitle": text(attributes.footerTitle),
            ])
        }
        if reads.readsRow { data[places.row] = .object(["id": .string(settings.identifier)]) }
        return data
    }

    /// Makes the data where that has not been done.
    private mutating func prepare(_ evaluation: inout RowEvaluation) -> LogicData {
        if let data { return data }
        let made = surroundings(&evaluation)
        data = made
        return made
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
        if data == nil { data = surroundings(&evaluation) }
        evaluation.charge(reading: element.value.bytes.count)
        data?[RowEvaluator.places.model] = .json(element.value.document.root)
        data?[RowEvaluator.places.index] = .integer(index)
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

    private mutating func isHidden(_ rule: RowRule, _ evaluation: inout RowEvaluation) throws(RowFailure) -> Bool {
        guard let expression = rule.expression else { return rule.source.bytes.first == UInt8(ascii: "t") }
        let data = prepare(&evaluation)
        return try evaluation.holds(expression, on: data, pointer: "/hideWhen")
    }

    private mutating func length(
        _ rule: RowRule, _ pointer: String, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> JSONValue? {
        guard let expression = rule.expression else { return rule.source }
        let data = prepare(&evaluation)
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

    private mutating func config(
        _ template: ConfigTemplate, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> JSONValue {
        if template.holes.isEmpty { return template.source }
        let data = prepare(&evaluation)
        let config = try template.filled { hole throws(RowFailure) in
            do throws(RowFailure) {
                return try evaluation.value(of: hole.expression, on: data, pointer: "")
            } catch {
                throw template.failure(error, of: hole)
            }
        }
        evaluation.charge(writing: config.bytes.count)
        try evaluation.check("/additionalConfig")
        return config
    }
}

/// The values of a row's expressions.
struct EvaluatedMembers: Equatable, Sendable {
    /// Whether the row is hidden as a whole; nothing else is evaluated then.
    var isHidden = false
    var height: JSONValue?
    var estimatedHeight: JSONValue?
    var config: JSONValue?

    /// An element's members for subscribers with these values.
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
                estimatedHeight: estimatedHeight, config: config, afterSelection: settings.afterSelection,
                style: settings.style),
            model: settings.kind == .model ? adapter.model : nil)
    }
}
