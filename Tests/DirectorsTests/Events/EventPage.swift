import Directors

/// What the documentation's page of events says of each event, made from the table.
enum EventPage {
    static let head = """
        | event | it tells or asks | at | parameters | answer | without an answer | UIKit |
        | --- | --- | --- | --- | --- | --- | --- |
        """

    /// The table of a source.
    static func table(_ source: EventSource) -> String {
        ([head] + EventCatalog.events(of: source).map(row)).joined(separator: "\n")
    }

    private static func row(_ event: EventDefinition) -> String {
        let parameters = event.parameters.map { parameter in
            "`\(parameter.name)`\(parameter.isRequired ? "" : "?") \(parameter.type.phrase): \(parameter.summary)"
        }
        let methods = event.delegateMethod.split(separator: ", ").map { "`\($0)`" }.joined(separator: " ")
        let answer =
            event.kind == .source ? "elements, asked by the server" : event.answerType?.phrase ?? "none, a notification"
        let rule = event.defaultRule.map { rule in
            if case .value(let value) = rule { return "`\(value.text)`" }
            return rule.phrase
        }
        let cells = [
            "`\(event.name)`", event.summary, place(event), parameters.joined(separator: "; "), answer, rule ?? "",
            methods,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func place(_ event: EventDefinition) -> String {
        switch event.place {
        case .element: event.isBatchable ? "`indexPath`, `indexPaths`" : "`indexPath`"
        case .header: "`header`"
        case .footer: "`footer`"
        case .headerOrFooter: "`header`, `footer`"
        case .list: event.kind == .source ? "a section, a model row" : "the list"
        }
    }
}
