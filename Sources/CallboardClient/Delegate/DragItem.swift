import ListDiff

/// An item that is dragged (`UIDragItem`).
public struct DragItem: EventValue, Hashable {
    /// The uniform type identifier of a text.
    public static let plainText = "public.utf8-plain-text"

    /// The text that another app gets; nil for none.
    public var text: String?
    /// The text's uniform type identifier; nil for ``plainText``.
    public var type: String?
    /// The value that lists of the same app get; nil for none.
    public var localObject: JSON?
    /// The item's place in the list; nil if it comes from elsewhere.
    public var sourceIndexPath: ElementPath?

    /// Makes an item.
    public init(
        text: String? = nil, type: String? = nil, localObject: JSON? = nil, sourceIndexPath: ElementPath? = nil
    ) {
        (self.text, self.type, self.localObject) = (text, type, localObject)
        self.sourceIndexPath = sourceIndexPath
    }

    /// Reads `{"text", "type", "localObject", "sourceIndexPath"}`.
    public init?(answer: JSON) {
        guard answer.objectValue != nil else { return nil }
        self.init(
            text: answer["text"]?.stringValue, type: answer["type"]?.stringValue, localObject: answer["localObject"],
            sourceIndexPath: answer["sourceIndexPath"].flatMap(ElementPath.init(answer:)))
    }

    /// The item as the wire has it: one without a text has a local object, if only null.
    public var json: JSON {
        var object = JSONObject()
        object["text"] = text.map { .string($0) }
        object["type"] = type.map { .string($0) }
        if let localObject {
            object["localObject"] = localObject
        } else if text == nil {
            object["localObject"] = .null
        }
        object["sourceIndexPath"] = sourceIndexPath?.json
        return .object(object)
    }
}

/// The effect of a drop (`UIDropProposal`).
public struct DropProposal: EventValue, Hashable {
    /// What becomes of the items (`UIDropOperation`).
    public enum Operation: String, Sendable, CaseIterable {
        /// Nothing.
        case cancel
        /// Nothing, which the user is shown.
        case forbidden
        /// They are copied.
        case copy
        /// They are moved.
        case move
    }

    /// Where the items go (`UITableViewDropProposal.Intent`).
    public enum Intent: String, Sendable, CaseIterable {
        /// To no place in particular.
        case unspecified
        /// Between two elements.
        case insertAtDestinationIndexPath
        /// Into the element at the place.
        case insertIntoDestinationIndexPath
        /// Between two elements or into one, as the user moves; in a collection as ``unspecified``.
        case automatic
    }

    /// What becomes of the items.
    public var operation: Operation
    /// Where the items go.
    public var intent: Intent

    /// Makes a proposal.
    public init(_ operation: Operation, _ intent: Intent = .unspecified) {
        (self.operation, self.intent) = (operation, intent)
    }

    /// Reads `{"operation", "intent"}`.
    public init?(answer: JSON) {
        guard let operation = answer["operation"]?.stringValue.flatMap(Operation.init(rawValue:)) else { return nil }
        self.init(operation, answer["intent"]?.stringValue.flatMap(Intent.init(rawValue:)) ?? .unspecified)
    }

    /// The proposal as the wire has it.
    public var json: JSON { ["operation": .string(operation.rawValue), "intent": .string(intent.rawValue)] }
}
