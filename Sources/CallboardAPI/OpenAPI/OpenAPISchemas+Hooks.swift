import Directors

extension OpenAPISchemas {
    /// Event hooks, what UIs report, and deliveries.
    static let hooks = """
        "EventHooks": {"type": "object",
          "description": "Event hooks by the names of their events; without the right `hooks`, which events have one.",
          "additionalProperties": {"anyOf": [{"$ref": "#/components/schemas/EventHook"},
            {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["notification", "question"]}},
              "additionalProperties": false}]}},
        "HookURL": {"type": "string", "maxLength": \(HookURL.maximumLength), "pattern": "^[hH][tT][tT][pP][sS]?://[A-Za-z0-9]"},
        "HookSecrets": {"anyOf": [{"$ref": "#/components/schemas/HookSecret"}, {"type": "array", "minItems": 1,
            "maxItems": \(EventHook.maximumSecrets), "items": {"$ref": "#/components/schemas/HookSecret"}}]},
        "HookHeaders": {"type": "object", "additionalProperties": {"type": "string"}},
        "EventHookInputs": {"type": ["object", "null"],
          "description": "All event hooks of the adapter by the names of their events; left out, they stay.",
          "additionalProperties": {"$ref": "#/components/schemas/EventHookInput"}},
        "HookSecret": {"type": "string", "pattern": "^whsec_",
          "description": "`whsec_` and the base64 form of 24 to 64 bytes, or a masked one as a read answers it."},
        "TimeLength": {"description": "Such as `100ms`, `5s`, `2m`; a number is seconds.",
          "anyOf": [{"type": "string", "pattern": "^[0-9][0-9.]*(ms|s|m|h)$"}, {"type": "number", "minimum": 0}]},
        "EventReport": {"type": "object", "required": ["event"],
          "description": "At most one of `indexPath`, `indexPaths`, `element` (with its `section`), `header` and `footer`.",
          "dependentRequired": {"element": ["section"], "section": ["element"], "row": ["element"]}, "properties": {
            "event": {"type": "string", "enum": [\(names)]},
            "indexPath": {"$ref": "#/components/schemas/IndexPath"},
            "indexPaths": {"type": "array", "minItems": 1, "maxItems": \(EventReport.maximumPaths),
              "items": {"$ref": "#/components/schemas/IndexPath"}},
            "section": {"$ref": "#/components/schemas/Address"}, "row": {"$ref": "#/components/schemas/Address"},
            "element": {"$ref": "#/components/schemas/Address"},
            "header": {"$ref": "#/components/schemas/Position"}, "footer": {"$ref": "#/components/schemas/Position"},
            "version": {"$ref": "#/components/schemas/Position",
              "description": "The version that the UI shows, which an index path means; the newest unless given."},
            "parameters": {"$ref": "#/components/schemas/EventParameters"}}, "additionalProperties": false},
        "EventReports": {"anyOf": [{"$ref": "#/components/schemas/EventReport"},
            {"$ref": "#/components/schemas/EventReportList"}]},
        "EventReportList": {"type": "object", "required": ["events"], "additionalProperties": false, "properties": {
            "events": {"type": "array", "minItems": 1, "maxItems": \(ReportBody<EventReport>.maximumEvents),
              "items": {"$ref": "#/components/schemas/EventReportEntry"}}}},
        "EventReportEntry": {"type": "object", "required": ["event"],
          "description": "An event report, which may have an idempotency `key` of its own."},
        "EventOutcome": {"description": "Of one event: a `problem`, or what it is answered by itself.", "anyOf": [
            {"type": "object", "required": ["problem"], "properties": {"problem": {"$ref": "#/components/schemas/Problem"}}},
            {"$ref": "#/components/schemas/EventAccepted"}, {"$ref": "#/components/schemas/EventAnswerOrList"}]},
        "EventAnswer": {"type": "object", "required": ["value", "source"], "properties": {
            "value": {"$ref": "#/components/schemas/AnyValue"}, "source": {"enum": ["hook", "default"]},
            "reason": {"type": "string", "description": "Why it is a default although there is a hook."}},
          "additionalProperties": false},
        "EventAnswers": {"anyOf": [{"$ref": "#/components/schemas/EventAnswerOrList"},
            {"$ref": "#/components/schemas/EventOutcomeList"}]},
        "EventAnswerOrList": {"description": "The answer or, to `indexPaths`, one for each in their order.", "anyOf": [
            {"$ref": "#/components/schemas/EventAnswer"},
            {"$ref": "#/components/schemas/EventAnswerList"}]},
        "EventAccepted": {"anyOf": [
            {"type": "object", "required": ["delivery"], "properties": {"delivery": {"type": ["string", "null"]},
              "reason": {"type": "string"}}, "additionalProperties": false},
            {"type": "object", "required": ["deliveries"], "properties": {
              "deliveries": {"type": "array", "items": {"type": "string"}}}, "additionalProperties": false}]}
        """

    /// The messages to targets and their answers, for the document's `webhooks`.
    static let messages = """
        "EventParameters": {"type": "object", "description": "The parameters that a client adds to an event."},
        "EventSection": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}},
          "description": "A section without its elements."},
        "EventItem": {"type": "object", "required": ["indexPath", "section", "element", "cell"], "properties": {
            "indexPath": {"$ref": "#/components/schemas/IndexPath"},
            "shownIn": {"$ref": "#/components/schemas/EventView"},
            "section": {"$ref": "#/components/schemas/EventSection"},
            "element": {"$ref": "#/components/schemas/Element"}, "cell": {"type": "string"}}},
        "EventOfList": {"type": "object", "required": ["director", "epoch", "version"], "properties": {
            "director": {"type": "string"}, "epoch": {"type": "string"}, "version": {"type": "integer"},
            "shownIn": {"$ref": "#/components/schemas/EventView"},
            "parameters": {"$ref": "#/components/schemas/EventParameters"}}},
        "EventView": {"type": "object", "required": ["director"],
          "description": "The view at which the event was reported, and the place there; left out for an event that was reported at the director itself.",
          "properties": {"director": {"type": "string"}, "indexPath": {"$ref": "#/components/schemas/IndexPath"},
            "header": {"$ref": "#/components/schemas/Position"}, "footer": {"$ref": "#/components/schemas/Position"}}},
        "EventOfElement": {"allOf": [{"$ref": "#/components/schemas/EventOfList"},
            {"$ref": "#/components/schemas/EventItem"}]},
        "EventOfElements": {"allOf": [{"$ref": "#/components/schemas/EventOfList"}], "required": ["items"],
          "properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/EventItem"}}}},
        "EventOfHeader": {"allOf": [{"$ref": "#/components/schemas/EventOfList"}], "required": ["header", "section"],
          "properties": {"header": {"$ref": "#/components/schemas/Position"},
            "section": {"$ref": "#/components/schemas/EventSection"}, "view": {"type": "string"}}},
        "EventOfFooter": {"allOf": [{"$ref": "#/components/schemas/EventOfList"}], "required": ["footer", "section"],
          "properties": {"footer": {"$ref": "#/components/schemas/Position"},
            "section": {"$ref": "#/components/schemas/EventSection"}, "view": {"type": "string"}}},
        "EventOfSource": {"allOf": [{"$ref": "#/components/schemas/EventOfList"}], "required": ["section"],
          "properties": {"section": {"$ref": "#/components/schemas/EventSection"},
            "row": {"type": "string", "description": "The model row; left out for a section's own elements."}}},
        "SourceAnswer": {"description": "The elements, or an object that has them.", "anyOf": [
            {"type": "array", "items": {"$ref": "#/components/schemas/ElementInput"}},
            {"type": "object", "required": ["elements"], "properties": {
                "elements": {"type": "array", "items": {"$ref": "#/components/schemas/ElementInput"}}}}]},
        "EventEffects": {"type": "object", "description": "The operations that the event performs, as one batch.",
          "properties": {"operations": {"type": "array", "items": {"$ref": "#/components/schemas/Operation"}},
            "reload": {"type": "boolean"}, "animations": {"$ref": "#/components/schemas/Animations"}}},
        \(messagesByPlace.map { message(at: $0, data: $1) }.joined(separator: ",\n")),
        \(messageToSource),
        \(AnswerType.allCases.map { "\"\($0.schemaName)\": \($0.schema)" }.joined(separator: ",\n"))
        """

    /// The schemas of messages by the place of their events, each with those that its data may follow.
    private static let messagesByPlace = [
        ("Element", ["Element"]), ("Elements", ["Element", "Elements"]), ("Header", ["Header"]),
        ("Footer", ["Footer"]), ("HeaderOrFooter", ["Header", "Footer"]), ("List", ["List"]),
    ]

    private static let messageToSource = message(named: "MessageToSource", data: ["Source"])

    private static func message(at place: String, data: [String]) -> String {
        message(named: "MessageAt" + place, data: data)
    }

    private static func message(named name: String, data: [String]) -> String {
        let schemas = data.map { ##"{"$ref":"#/components/schemas/EventOf\##($0)"}"## }.joined(separator: ",")
        return #""\#(name)": {"type":"object","required":["type","timestamp","data"],"properties":{"#
            + #""type":{"type":"string"},"timestamp":{"type":"string","format":"date-time"},"data":{"anyOf":[\#(schemas)]}}}"#
    }

    /// The names of all events, each once and quoted.
    private static let names = eventNames(of: EventSource.allCases).map { "\"\($0)\"" }.joined(separator: ", ")

    /// The names of the events that some sources have, each once.
    static func eventNames(of sources: [EventSource]) -> [String] {
        var seen: Set<String> = []
        return sources.flatMap { EventCatalog.events(of: $0) }.map(\.name).filter { seen.insert($0).inserted }
    }

    /// The schema of an event's name in a path: the events of what the path leads to.
    static func event(in path: PathTemplate) -> String {
        let sources: [EventSource] =
            if path.segments.contains(.literal("adapters")) || path.segments.contains(.literal("rows")) {
                [.tableCell, .collectionCell, .stackCell]
                    + (path.segments.contains(.literal("rows")) ? [.section] : [])
            } else if path.segments.contains(.literal("sections")) {
                [.section]
            } else if path.segments.contains(.literal("header-footer-adapters")) {
                [.tableHeaderFooter, .collectionHeaderFooter, .stackHeaderFooter]
            } else if path.segments.contains(.literal("scroll-events")) {
                [.scroll]
            } else {
                [.tableDirector, .collectionDirector, .stackDirector]
            }
        return #"{"type":"string","enum":[\#(eventNames(of: sources).map { "\"\($0)\"" }.joined(separator: ","))]}"#
    }
}
