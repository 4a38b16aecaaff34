extension AnswerType {
    /// The name of the type's schema in the API's description, `Answer` and the type's name.
    package var schemaName: String {
        "Answer" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    /// The type's values, in a few words.
    package var phrase: String {
        switch self {
        case .boolean: "true or false"
        case .number: "a number"
        case .height: "a number from 0, or -1 for an automatic height"
        case .integer: "a whole number from 0"
        case .string: "a string"
        case .optionalString: "a string or null"
        case .size: "a size, {width, height}"
        case .point: "a point, {x, y}"
        case .insets: "insets, {top, left, bottom, right}"
        case .indexPath: "an index path"
        case .optionalIndexPath: "an index path or null"
        case .editStyle: "none, delete or insert"
        case .actions: "a list of actions or null"
        case .swipeActions: "a list of actions, {actions, performsFirstActionWithFullSwipe}, or null"
        case .dragItems: "a list of drag items"
        case .dropProposal: "a drop proposal, {operation, intent}"
        }
    }

    /// A JSON Schema (2020-12) of the type's values, one JSON object: what ``check(_:)`` takes.
    package var schema: String {
        switch self {
        case .boolean: #"{"type":"boolean"}"#
        case .number: #"{"type":"number"}"#
        case .height: #"{"type":"number","anyOf":[{"minimum":0,"maximum":1e9},{"const":-1}]}"#
        case .integer: #"{"type":"integer","minimum":0,"maximum":\#(Int.max)}"#
        case .string: AnswerType.text
        case .optionalString: #"{"anyOf":[\#(AnswerType.text),{"type":"null"}]}"#
        case .size: AnswerType.object(["width", "height"], AnswerType.length(from: 0), isWhole: true)
        case .point: AnswerType.object(["x", "y"], AnswerType.length(from: -1_000_000_000), isWhole: true)
        case .insets:
            AnswerType.object(
                ["top", "left", "bottom", "right"], AnswerType.length(from: -1_000_000_000), isWhole: false)
        case .indexPath: AnswerType.path
        case .optionalIndexPath: #"{"anyOf":[\#(AnswerType.path),{"type":"null"}]}"#
        case .editStyle: #"{"enum":["none","delete","insert"]}"#
        case .actions:
            #"{"anyOf":[\#(AnswerType.actionList),{"type":"null"}]}"#
        case .swipeActions:
            #"{"anyOf":[\#(AnswerType.actionList),{"type":"object","additionalProperties":false,"required":["actions"],"#
                + #""properties":{"actions":\#(AnswerType.actionList),"performsFirstActionWithFullSwipe":{"type":"boolean"}}},"#
                + #"{"type":"null"}]}"#
        case .dragItems: #"{"type":"array","maxItems":\#(AnswerType.maximumDragItems),"items":\#(AnswerType.dragItem)}"#
        case .dropProposal:
            #"{"type":"object","additionalProperties":false,"required":["operation"],"properties":{"#
                + #""operation":\#(AnswerType.choice(DropOperation.self)),"intent":\#(AnswerType.choice(DropIntent.self))}}"#
        }
    }

    private static let text = #"{"type":"string","maxLength":\#(maximumTextLength)}"#
    private static let path =
        #"{"type":"array","minItems":2,"maxItems":2,"items":{"type":"integer","minimum":0}}"#
    private static let action =
        #"{"type":"object","additionalProperties":false,"properties":{"title":\#(text),"#
        + #""style":{"enum":["normal","destructive"]},"backgroundColor":{"type":"string","maxLength":\#(maximumTextLength),"#
        + #""pattern":"^([^#].*|#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?)?$"},"image":\#(text),"identifier":\#(text)},"#
        + #""anyOf":[{"required":["title"]},{"required":["image"]}]}"#

    private static let actionList = #"{"type":"array","maxItems":\#(maximumActions),"items":\#(action)}"#

    private static let dragItem =
        #"{"type":"object","additionalProperties":false,"properties":{"text":\#(text),"type":\#(text),"#
        + ##""localObject":{"$ref":"#/components/schemas/AnyValue"},"sourceIndexPath":\##(path)},"##
        + #""anyOf":[{"required":["text"]},{"required":["localObject"]}]}"#

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type) -> String {
        #"{"enum":[\#(Choice.allCases.map { $0.rawValue.quoted }.joined(separator: ","))]}"#
    }

    private static func length(from minimum: Int) -> String {
        #"{"type":"number","minimum":\#(minimum),"maximum":1000000000}"#
    }

    private static func object(_ names: [String], _ member: String, isWhole: Bool) -> String {
        let properties = names.map { #""\#($0)":\#(member)"# }.joined(separator: ",")
        let required = names.map(\.quoted).joined(separator: ",")
        return #"{"type":"object","additionalProperties":false,"properties":{\#(properties)}"#
            + (isWhole ? #","required":[\#(required)]}"# : "}")
    }
}
