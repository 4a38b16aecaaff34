/// An action that a swipe over a row or a context menu shows.
public struct MenuAction: EventValue {
    /// The button's text.
    public var title: String?
    /// Whether the action destroys something, which the button's colour tells.
    public var isDestructive: Bool
    /// The button's colour: `#RRGGBB`, `#RRGGBBAA`, or the name of a colour of the app. A context menu has none.
    public var backgroundColor: String?
    /// The name of the button's image.
    public var image: String?
    /// The action's identifier in reports to the server.
    public var identifier: String?
    /// Performs the action; nil tells of `performMenuAction`, or in a context menu of `performContextAction`, with the
    /// ``name`` as `action`.
    public var perform: (@MainActor @Sendable () -> Void)?

    /// Makes an action.
    public init(
        title: String? = nil, isDestructive: Bool = false, backgroundColor: String? = nil, image: String? = nil,
        identifier: String? = nil, perform: (@MainActor @Sendable () -> Void)? = nil
    ) {
        (self.title, self.isDestructive, self.backgroundColor) = (title, isDestructive, backgroundColor)
        (self.image, self.identifier, self.perform) = (image, identifier, perform)
    }

    /// Reads `{"title", "style", "backgroundColor", "image", "identifier"}`.
    public init?(answer: JSON) {
        guard answer.objectValue != nil else { return nil }
        self.init(
            title: answer["title"]?.stringValue, isDestructive: answer["style"]?.stringValue == "destructive",
            backgroundColor: answer["backgroundColor"]?.stringValue, image: answer["image"]?.stringValue,
            identifier: answer["identifier"]?.stringValue)
    }

    /// The name of the action in events: its identifier, or its title where it has none.
    public var name: String { identifier ?? title ?? "" }
}

/// The actions that a swipe over a row shows (`UISwipeActionsConfiguration`).
public struct SwipeActions: EventValue {
    /// One action.
    public typealias Action = MenuAction

    /// The actions, from the edge inwards.
    public var actions: [Action]
    /// Whether a swipe over the whole row performs the first action.
    public var performsFirstActionWithFullSwipe: Bool

    /// Makes actions.
    public init(_ actions: [Action], performsFirstActionWithFullSwipe: Bool = true) {
        (self.actions, self.performsFirstActionWithFullSwipe) = (actions, performsFirstActionWithFullSwipe)
    }

    /// Reads a list of actions, or `{"actions", "performsFirstActionWithFullSwipe"}`.
    public init?(answer: JSON) {
        guard let actions = [Action](answer: answer) ?? answer["actions"].flatMap([Action].init(answer:)) else {
            return nil
        }
        self.init(
            actions, performsFirstActionWithFullSwipe: answer["performsFirstActionWithFullSwipe"]?.boolValue ?? true)
    }
}
