import CallboardClient
import Foundation
import ListDiff

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// The base of the directors of tables, collections and stacks: the list, its delegate, and the events of the scroll
/// view.
@MainActor
public class RemoteListDirector: NSObject {
    /// The list that is shown.
    public let list: FollowedList
    /// Answers the view's questions; what the view asks goes through it and nowhere else.
    public let delegate: ListDelegate
    /// The closures of the director's own events: of dragging and dropping, of its scroll view, and of what it shows.
    ///
    /// ```swift
    /// director.events.performDrop = { context in add(context.items, at: context.destination) }
    /// ```
    public var events: EventHandlers<DirectorEvents, DirectorContext> {
        get { delegate.events }
        set { delegate.events = newValue }
    }
    /// Whether changes of the list are shown with animations.
    public var isAnimated = true
    private var listening: ListListening?
    private var settling: Task<Void, Never>?

    /// How long the view keeps a row where the user has moved it, until the server has said where it stands.
    static let settleTime = Duration.seconds(5)

    init(_ list: FollowedList) {
        self.list = list
        delegate = ListDelegate(list)
        super.init()
        listening = list.onTransition { [weak self] in self?.show($0) }
        delegate.answersArrived = { [weak self] in self?.layOutAgain($0) }
    }

    deinit { settling?.cancel() }

    /// Shows the list as it is, without animation.
    public func reloadAll() {
        delegate.show(list.sections)
        reloadView()
    }

    /// Registers a cell adapter, and in the view its cells, by the identifier that they are reused by.
    func register<Model, Cell, Names>(_ adapter: CellAdapter<Model, Cell, Names>, inView: (String) -> Void) {
        let identifier = adapter.reuseIdentifier ?? "\(Cell.self)"
        inView(identifier)
        delegate.register(adapter, identifier: identifier)
        reloadAll()
    }

    /// Registers a header or footer adapter, and in the view its views, by the identifier that they are reused by.
    func register<View>(_ adapter: HeaderFooterAdapter<View>, inView: (String) -> Void) {
        let identifier = adapter.reuseIdentifier ?? adapter.name
        inView(identifier)
        delegate.register(adapter, identifier: identifier)
        reloadAll()
    }

    private func show(_ transition: ListTransition) {
        switch transition.change {
        case .reloaded: reloadAll()
        case .staged(let stages, let animations):
            // The view may stand elsewhere: at a row that the user has moved, which the server may not know of yet.
            let isThere = delegate.sections == transition.before
            let stages = isThere ? stages : StagedChangeset(from: delegate.sections, to: transition.after)
            settling?.cancel()
            guard isAnimated, (try? animate(stages, from: delegate.sections, animations)) != nil else {
                return reloadAll()
            }
            delegate.show(transition.after)
        case .refreshed(let paths): refresh(paths)
        case .scrolled(_, let command): scroll(command)
        case .redefined:
            apply(list.definition)
            for path in shownPaths { prepareForTouch(at: path) }
        }
    }

    /// Tells that the user has moved an element in the view: the view shows it there until the server says otherwise.
    func moved(from source: ElementPath, to target: ElementPath) {
        guard let element = delegate.element(at: source) else { return }
        var sections = delegate.sections
        sections[source.section].elements.remove(at: source.element)
        guard sections.indices.contains(target.section), target.element <= sections[target.section].elements.count
        else {
            return reloadAll()
        }
        sections[target.section].elements.insert(element, at: target.element)
        delegate.show(sections)
        settling?.cancel()
        settling = Task { [weak self] in
            try? await Task.sleep(for: RemoteListDirector.settleTime)
            guard !Task.isCancelled, let self, self.delegate.sections != self.list.sections else { return }
            let stages = StagedChangeset(from: self.delegate.sections, to: self.list.sections)
            if (try? self.animate(stages, from: self.delegate.sections, [:])) == nil { self.reloadAll() }
        }
    }

    /// Draws cells in sight anew in place; all of them where no paths are given.
    private func refresh(_ paths: [ElementPath]?) {
        let shown = Set(shownPaths)
        for path in paths.map({ shown.intersection($0) }) ?? shown {
            if let cell = shownCell(at: path) { delegate.fill(cell, at: path) }
        }
    }

    /// Brings an element into view; the view may show it elsewhere than the list does.
    private func scroll(_ command: ScrollCommand) {
        guard let path = command.place(in: delegate.sections) else { return }
        scroll(to: path, at: command.position, isAnimated: isAnimated && command.isAnimated)
    }

    // What a view of a kind does.

    func reloadView() {}

    func animate(
        _ stages: StagedChangeset<RemoteSection>, from sections: [RemoteSection], _ animations: ListAnimations
    ) throws {}

    /// The paths of the cells in sight.
    var shownPaths: [ElementPath] { [] }

    /// Asks the hooks ahead that UIKit asks about once the user touches a cell.
    func prepareForTouch(at path: ElementPath) {}

    /// The cell in sight at a path.
    func shownCell(at path: ElementPath) -> AnyObject? { nil }

    /// Moves the view to a cell.
    func scroll(to path: ElementPath, at position: ScrollCommand.Position, isAnimated: Bool) {}

    /// The view shows another part of its content.
    func viewDidScroll() {}

    /// Has the view ask again how large its cells are.
    func layOutAgain(_ paths: [ElementPath]) {}

    /// Takes over the properties of a definition.
    func apply(_ definition: ListDefinition?) {}
}
