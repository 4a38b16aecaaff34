import Foundation
import ListDiff
import Notation

/// Answers a view's questions about a list, and carries its events: the half of a table's or collection's data source
/// and delegate that knows nothing of UIKit.
///
/// The first of these that has an answer gives it:
/// 1. The closure of the element's adapter.
/// 2. The element's row, with what it publishes, such as its `height`.
/// 3. The server's hook, if one is registered.
/// 4. The director, with what it publishes, such as its `rowHeight`.
/// 5. UIKit: the answer is nil.
///
/// Hooks are asked ahead. An answer holds for as long as the element stays what it was. A view never waits: until a
/// hook has answered, the next one in turn does, and ``answersArrived`` names the elements once it has. An event goes
/// to the adapter's closure; one without a closure is reported to the server where a hook is registered.
@MainActor
public final class ListDelegate {
    /// The list.
    public let list: FollowedList
    /// The sections as the view has been told of them: in the middle of a change, the state of a stage.
    public internal(set) var sections: [RemoteSection]
    /// The view's size, for the contexts of closures.
    public var size = CGSize.zero
    /// The closures of the director's own events.
    public var events = EventHandlers<DirectorEvents, DirectorContext>()
    /// Called where hooks have answered for elements that a view has been given another answer for.
    public var answersArrived: (([ElementPath]) -> Void)?

    var adapters: [AdapterSubject: any ElementAdapter] = [:]
    private var identifiers: [AdapterSubject: String] = [:]
    var supplementaries: [Name: any SupplementaryAdapter] = [:]
    private(set) var viewIdentifiers: [Name: String] = [:]
    var answers = AskedAnswers()
    var hooks: HookNames
    var asking: TaskHolder?
    /// Until when hooks are not asked, since the last request has failed.
    var askingAgain: ContinuousClock.Instant?
    private var listening: ListListening?

    /// Makes a delegate of a list.
    public init(_ list: FollowedList) {
        self.list = list
        sections = list.sections
        hooks = HookNames(list.definition)
        listening = list.onTransition { [weak self] transition in self?.note(transition) }
    }

    /// Registers a cell adapter, in place of an earlier one for the same elements.
    ///
    /// - Parameters:
    ///   - adapter: The adapter.
    ///   - identifier: The identifier that its cells are registered by in the view; nil where they are known by the one
    ///     that the adapter has, or the director's.
    public func register<Model, Cell, Names>(
        _ adapter: CellAdapter<Model, Cell, Names>, identifier: String? = nil
    ) {
        adapters[adapter.subject] = adapter
        identifiers[adapter.subject] = identifier ?? adapter.reuseIdentifier
    }

    /// Registers a header or footer adapter, in place of an earlier one of the same name.
    ///
    /// - Parameters:
    ///   - adapter: The adapter.
    ///   - identifier: The identifier that its views are registered by in the view, as for a cell adapter.
    public func register<View>(_ adapter: HeaderFooterAdapter<View>, identifier: String? = nil) {
        supplementaries[Name(adapter.name)] = adapter
        viewIdentifiers[Name(adapter.name)] = identifier ?? adapter.reuseIdentifier
    }

    /// Tells that the view shows these sections from now on.
    public func show(_ sections: [RemoteSection]) { self.sections = sections }

    /// The element at a path of the view; nil where there is none.
    public func element(at path: ElementPath) -> RemoteElement? { sections.element(at: path) }

    /// The adapter of an element: that of its model, or of its cell for a constant row.
    func adapter(for element: RemoteElement) -> (any ElementAdapter)? {
        if let model = element.model { return adapters[.model(model)] }
        return element.cell.flatMap { adapters[.cell($0)] }
    }

    /// The identifier that an element's cell is reused by; nil where the app has no adapter for the element, and where
    /// the element's value cannot be read, which ``FollowedList/faults`` names: a view shows another cell in its place
    /// then.
    public func reuseIdentifier(at path: ElementPath) -> String? {
        guard let element = element(at: path) else { return nil }
        guard let adapter = adapter(for: element) else {
            note(
                element.model.map { "the app has registered no adapter for the model \($0)" }
                    ?? "the app has registered no adapter for the cell \(element.cell ?? "of a row")", element, at: path
            )
            return nil
        }
        do {
            try adapter.check(element)
        } catch {
            note(error, element, at: path)
            return nil
        }
        return identifiers[adapter.subject] ?? list.definition?.reuseIdentifier(for: element)
    }

    /// Fills a cell that was dequeued: by the adapter's `dequeue`; an ``ElementCell`` without that shows the element
    /// itself.
    public func fill(_ cell: AnyObject, at path: ElementPath) {
        guard let element = element(at: path) else { return }
        let event = TableCellEvents().dequeue
        if !take(event, at: path, cell: cell) {
            (cell as? any ElementCell)?.show(element)
            report(event, element, at: path)
        }
    }

    // MARK: Elements

    /// Answers a question about an element.
    ///
    /// - Parameters:
    ///   - question: The question, by its property of the table of events.
    ///   - path: The element's place in the view.
    ///   - cell: The cell that shows it, where there is one.
    ///   - parameters: What else the question says.
    /// - Returns: The answer; nil leaves it to UIKit.
    public func answer<Names: EventNames, Answer>(
        _ question: KeyPath<Names, ListQuestion<Answer>>, at path: ElementPath, cell: AnyObject? = nil,
        parameters: JSONObject = JSONObject()
    ) -> Answer? {
        answer(Names()[keyPath: question], at: path, cell: cell, parameters: parameters)
    }

    private func answer<Answer>(
        _ question: ListQuestion<Answer>, at path: ElementPath, cell: AnyObject?, parameters: JSONObject
    ) -> Answer? {
        guard let element = element(at: path) else { return nil }
        if let adapter = adapter(for: element), adapter.handles(question.name) {
            do {
                let moment = ElementMoment(
                    element: element, path: path, cell: cell, size: size, parameters: parameters)
                if let answer = try adapter.answer(question, moment) { return answer }
            } catch {
                note(error, element, at: path)
            }
        }
        if let answer = Published.answer(question.name, of: element).flatMap(Answer.init(answer:)) { return answer }
        if question.isAskedAhead, let section = sectionID(at: path),
            hooks.contains(question.name, of: element, in: section)
        {
            if let answer = asked(question, .element(element), in: section, at: path) { return answer }
        }
        return Published.answer(question.name, of: list.definition).flatMap(Answer.init(answer:))
    }

    /// Whether anybody takes an event of an element: a closure, or a hook.
    public func listens<Names: EventNames>(
        to event: KeyPath<Names, ListNotification>, at path: ElementPath
    ) -> Bool {
        listens(to: Names()[keyPath: event].name, at: path)
    }

    /// Whether anybody answers a question about an element: a closure, or a hook.
    public func listens<Names: EventNames, Answer>(
        to question: KeyPath<Names, ListQuestion<Answer>>, at path: ElementPath
    ) -> Bool {
        listens(to: Names()[keyPath: question].name, at: path)
    }

    private func listens(to name: String, at path: ElementPath) -> Bool {
        guard let element = element(at: path), let section = sectionID(at: path) else { return false }
        return hasClosure(for: name, at: path) || hooks.contains(name, of: element, in: section)
    }

    /// Whether the adapter of an element has a closure for an event.
    func hasClosure(for name: String, at path: ElementPath) -> Bool {
        element(at: path).flatMap { adapter(for: $0) }?.handles(name) == true
    }

    /// Tells of an event at an element.
    ///
    /// - Parameters:
    ///   - event: The event, by its property of the table of events.
    ///   - path: The element's place in the view.
    ///   - cell: The cell that shows it, where there is one.
    ///   - parameters: What else the event says.
    public func tell<Names: EventNames>(
        _ event: KeyPath<Names, ListNotification>, at path: ElementPath, cell: AnyObject? = nil,
        parameters: JSONObject = JSONObject()
    ) {
        let event = Names()[keyPath: event]
        guard let element = element(at: path), !take(event, at: path, cell: cell, parameters: parameters) else {
            return
        }
        report(event, element, at: path, parameters: parameters)
    }

    /// Gives an event to the closure of the element's adapter; false where it has none.
    private func take(
        _ event: ListNotification, at path: ElementPath, cell: AnyObject?, parameters: JSONObject = JSONObject()
    ) -> Bool {
        guard let element = element(at: path), let adapter = adapter(for: element), adapter.handles(event.name) else {
            return false
        }
        do {
            let moment = ElementMoment(element: element, path: path, cell: cell, size: size, parameters: parameters)
            return try adapter.take(event, moment)
        } catch {
            note(error, element, at: path)
            return false
        }
    }

    private func report(
        _ event: ListNotification, _ element: RemoteElement, at path: ElementPath,
        parameters: JSONObject = JSONObject()
    ) {
        guard let section = sectionID(at: path), hooks.contains(event.name, of: element, in: section) else { return }
        // By name: the list may have moved when the report arrives.
        list.report(
            ListEvent(
                event.name,
                at: .named(
                    section: .identifier(section), row: element.row.map { .identifier($0) },
                    element: .identifier(element.id)), parameters: parameters))
    }

    func sectionID(at path: ElementPath) -> String? {
        sections.indices.contains(path.section) ? sections[path.section].id : nil
    }

    private func note(_ transition: ListTransition) {
        if case .redefined = transition.change {
            let names = HookNames(list.definition)
            // What was answered by hooks that are no more counts for nothing.
            if names != hooks { (hooks, answers) = (names, AskedAnswers()) }
        }
        if case .refreshed(let paths) = transition.change {
            answers.forget(paths?.compactMap { path in element(at: path).map { ($0, sectionID(at: path) ?? "") } })
        }
    }

    private func note(_ error: any Error, _ element: RemoteElement, at path: ElementPath) {
        note("its value is no \(element.model ?? "value") as the app reads it: \(error)", element, at: path)
    }

    private func note(_ reason: String, _ element: RemoteElement, at path: ElementPath) {
        list.note(
            ElementFault(
                section: sectionID(at: path) ?? "", element: element.id, model: element.model, reason: reason))
    }
}
