import Directors
import Reactor
import Synchronization
import Views

/// A source's list that is divided by a value of its elements, for views that need one part each.
///
/// It lives on the source's loop and follows the source as a view does. A version is told only to the views whose part
/// has changed: what 10,000 views of one list each cost at a change is what the one costs that shows it. Where the list
/// cannot be divided any more, its views follow the whole list.
actor DividedSource: SourceFollower {
    nonisolated let loop: EventLoop
    nonisolated let environment: HostEnvironment
    /// How the list is divided.
    nonisolated let rule: PartRule
    private nonisolated let source: any ViewSource
    private nonisolated let told = Atomic<Int>(0)

    var inbox = SourceInbox<DividedSource>()
    private(set) var isOver = false
    private var list: DividedList?
    private var newest: SourceVersion?
    private var views: [PartKey: [ObjectIdentifier: ViewInstance]] = [:]
    /// Views that have come before there is a list, or while a version is worked on.
    private var joining: [(view: ViewInstance, key: PartKey)] = []
    /// Views that others follow: they are told of every version.
    private var sources: [ObjectIdentifier: ViewInstance] = [:]
    private var countedBytes = 0

    /// Makes a division, which follows the source once that tells it of a version.
    init(of source: any ViewSource, by rule: PartRule) {
        (self.source, self.rule) = (source, rule)
        (loop, environment) = (source.loop, source.environment)
    }

    /// The newest version that all views are told of. From any thread.
    nonisolated var newestVersion: Int { told.load(ordering: .acquiring) }

    // MARK: Views

    /// Begins to tell a view of its part.
    nonisolated func join(_ view: ViewInstance, _ key: PartKey) {
        view.enter(division: self)
        enter((view, key)) { division, new in
            division.joining.append(new)
            if division.inbox.isSettled { division.welcome() }
        }
    }

    private func welcome() {
        guard let newest else { return }
        for (view, key) in joining {
            views[key, default: [:]][ObjectIdentifier(view)] = view
            tell(view, part(key, of: newest))
        }
        joining = []
    }

    /// Tells a view nothing any more.
    nonisolated func leave(_ view: ViewInstance) {
        enter(view) { division, view in
            guard let key = view.part?.key else { return }
            division.joining.removeAll { $0.view === view }
            division.sources[ObjectIdentifier(view)] = nil
            division.views[key]?[ObjectIdentifier(view)] = nil
            if division.views[key]?.isEmpty == true { division.views[key] = nil }
            if division.views.isEmpty, division.joining.isEmpty { division.end(isRefused: false) }
        }
    }

    /// Says whether other views follow a view. From any thread.
    nonisolated func note(_ view: ViewInstance, isSource: Bool) {
        send { division in
            let isMember = view.part.map { division.views[$0.key]?[ObjectIdentifier(view)] != nil } ?? false
            division.sources[ObjectIdentifier(view)] = isSource && isMember ? view : nil
        }
    }

    private func part(_ key: PartKey, of version: SourceVersion) -> SourceVersion {
        let list = list?.part(key) ?? ListState()
        return SourceVersion(
            state: PublishedState(version: version.state.version, list: list), variables: version.variables,
            definition: version.definition, change: version.change)
    }

    private func tell(_ view: ViewInstance, _ version: SourceVersion) {
        view.expect(version.state.version)
        view.tell(.version(version))
    }

    // MARK: Following

    func handle(_ message: SourceNews) {
        switch message {
        case .version(let version): update(to: version)
        case .defined(let definition):
            newest?.definition = definition
            tellAll(message)
        case .refresh: tellAll(message)
        case .ended:
            tellAll(message)
            end(isRefused: false)
        }
    }

    private func tellAll(_ message: SourceNews) {
        for view in views.values.lazy.flatMap(\.values) { view.tell(message) }
        for (view, _) in joining { view.tell(message) }
    }

    private func update(to version: SourceVersion) {
        let rule = rule
        update(list.take(), to: version) { list -> Set<PartKey>? in
            guard list != nil else {
                list = DividedList(version.state.list, by: rule)
                return list.map { _ in [] }
            }
            return list?.update(to: version.state.list)
        } then: { division, list, changed in
            guard let changed else { return division.endUndivided() }
            division.list = list
            division.publish(version, changed)
        }
    }

    private func publish(_ version: SourceVersion, _ changed: Set<PartKey>) {
        newest = version
        newest?.change = nil
        var followed = sources
        for key in changed {
            guard let views = views[key] else { continue }
            let part = part(key, of: version)
            for (identifier, view) in views {
                tell(view, part)
                followed[identifier] = nil
            }
        }
        for view in followed.values {
            if let key = view.part?.key { tell(view, part(key, of: version)) }
        }
        told.store(version.state.version, ordering: .releasing)
        welcome()
        count(bytes: list?.memory ?? 0)
    }

    private func count(bytes: Int) {
        environment.views.bytes.add(bytes - countedBytes, ordering: .relaxed)
        countedBytes = bytes
    }

    // MARK: Ending

    /// Has all views follow the whole list.
    private func endUndivided() {
        let views = views.values.flatMap(\.values) + joining.map(\.view)
        end(isRefused: true)
        for view in views {
            view.leaveDivision()
            source.addAgain(view)
        }
    }

    private func end(isRefused: Bool) {
        guard !isOver else { return }
        isOver = true
        (views, joining, sources, list, newest) = ([:], [], [:], nil, nil)
        count(bytes: 0)
        source.release(self, isRefused: isRefused)
        clearInbox()
    }
}
