import JSONValues
import ListDiff

/// An event with its items: the message for a hook's target, and the answer without a hook.
package struct ResolvedEvent: Sendable {
    /// An element that an event is fired at.
    package struct Item: Sendable {
        /// The position among the index paths of the report, to put answers back in order.
        package let position: Int
        /// Where the element stands.
        package let path: ElementPath
        /// The section that it stands in.
        package let section: Section
        /// The element.
        package let element: Element
        /// The element's place in the view that the event was reported at; nil for a report at the director itself.
        package let viewed: ElementPath?
        /// The cell that the view shows it with; nil where that is the source's.
        let shownCell: String?
    }

    /// A header or footer that an event is fired at.
    package struct Supplementary: Sendable {
        /// Whether it is the header.
        package let isHeader: Bool
        /// The section's position.
        package let position: Int
        /// The section.
        package let section: Section
        /// The view that it shows; nil for a title.
        package let view: String?
        /// The section's position in the view at which the event was reported; nil for a report at the director itself.
        package let viewed: Int?
    }

    /// What an event is about.
    package enum Subject: Sendable {
        /// One element.
        case item(Item)
        /// Elements that were named together and have one hook, or none; in the order of the report.
        case items([Item])
        /// A header or footer.
        case supplementary(Supplementary)
        /// The whole list.
        case list

        /// The elements; none for a header, a footer or the list.
        package var items: [Item] {
            switch self {
            case .item(let item): [item]
            case .items(let items): items
            case .supplementary, .list: []
            }
        }
    }

    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// The published version that the event is about.
    package let version: Int
    /// The event.
    package let definition: EventDefinition
    /// The level of its hook, registered or not; nil for a header or footer without a view.
    package let level: HookLevel?
    /// The hook; nil where there is none.
    package let hook: EventHook?
    /// What it is about.
    package let subject: Subject
    /// The UI's further parameters; nil without such.
    package let parameters: JSONValue?
    /// UIKit's answers to a question, one for each item, one where there are no items; empty for a notification.
    package let defaultAnswers: [JSONValue]
    /// The name of the view at which the event was reported; nil for a report at the director itself.
    package let view: String?
    /// The published list that the UI shows, which index paths of answers point into.
    let list: ListState

    /// The hook's address; nil where none could be.
    package var address: HookAddress? {
        level.map { HookAddress(director: director, epoch: epoch, level: $0, event: definition.name) }
    }

    /// The elements; none where the event is about a header, a footer or the list.
    package var items: [Item] { subject.items }

    /// The event with some of its items only and their defaults, in the same order; for one that is not about several
    /// elements, the event itself.
    ///
    /// - Parameter positions: The positions of the items in the report.
    package func narrowed(to positions: Set<Int>) -> ResolvedEvent {
        guard case .items(let items) = subject else { return self }
        let kept = items.indices.filter { positions.contains(items[$0].position) }
        return ResolvedEvent(
            director: director, epoch: epoch, version: version, definition: definition, level: level, hook: hook,
            subject: .items(kept.map { items[$0] }), parameters: parameters,
            defaultAnswers: definition.answerType == nil ? [] : kept.map { defaultAnswers[$0] }, view: view,
            list: list)
    }

    /// Whether several elements were named, so that several values are answered.
    package var isBatch: Bool {
        if case .items = subject { true } else { false }
    }
}
