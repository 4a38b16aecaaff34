import JSONValues

/// Makes the rows of one source's table.
struct EventTable {
    let source: EventSource

    func notification(
        _ name: String, _ place: EventDefinition.Place, isBatchable: Bool = false, parameters: [EventParameter] = [],
        _ delegateMethod: String, _ summary: String
    ) -> EventDefinition {
        EventDefinition(
            source: source, name: name, kind: .notification, place: place, isBatchable: isBatchable,
            parameters: parameters, delegateMethod: delegateMethod, summary: summary)
    }

    func source(
        _ name: String, _ place: EventDefinition.Place, _ delegateMethod: String, _ summary: String
    ) -> EventDefinition {
        EventDefinition(
            source: source, name: name, kind: .source, place: place, isBatchable: false, parameters: [],
            delegateMethod: delegateMethod, summary: summary)
    }

    func question(
        _ name: String, _ place: EventDefinition.Place, isBatchable: Bool = false, _ type: AnswerType,
        default rule: EventDefault, parameters: [EventParameter] = [], _ delegateMethod: String, _ summary: String
    ) -> EventDefinition {
        EventDefinition(
            source: source, name: name, kind: .question(type, default: rule), place: place, isBatchable: isBatchable,
            parameters: parameters, delegateMethod: delegateMethod, summary: summary)
    }
}

extension EventDefault {
    static let yes = EventDefault.value(JSONValue { $0.bool(true) })
    static let no = EventDefault.value(JSONValue { $0.bool(false) })
    static let null = EventDefault.value(JSONValue { $0.null() })
    static let zero = EventDefault.value(JSONValue { $0.int(0) })
    static let delete = EventDefault.value(JSONValue(string: "delete"))
}

extension EventParameter {
    static let action = EventParameter("action", .string, isRequired: true, "the name of the action's selector")
    static let sender = EventParameter("sender", .optionalString, "what has sent the action")
    static let previous = EventParameter("previous", .optionalIndexPath, "the item that has the focus")
    static let next = EventParameter("next", .optionalIndexPath, "the item that is to get it")
    static let heading = EventParameter("heading", .string, "the direction in which it moves: up, down, left, right …")
    static let offset = EventParameter("contentOffset", .point, "where the content stands")
    static let proposedPath = EventParameter("proposed", .indexPath, isRequired: true, "where it would go by itself")
    static let scale = EventParameter("scale", .number, "how much the content is enlarged")
    static let size = EventParameter("size", .size, "how large the list is on the screen")
    static let view = EventParameter("view", .optionalString, "the view that is zoomed")
}

extension JSONValue {
    /// Makes a value of what is written.
    init(_ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        write(&writer)
        do {
            try self.init(parsing: writer.bytes, maximumDepth: JSONDocument.ceilingDepth)
        } catch {
            // What a writer has written can be read: this would be a broken invariant of our own, not anyone's input.
            preconditionFailure("what was written cannot be read: \(error)")
        }
    }
}
