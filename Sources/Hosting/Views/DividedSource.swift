import DequeModule
import Directors
import Reactor
import Synchronization
import Views

/// A source's list that is divided by a value of its elements, for views that need one part each.
///
/// It lives on the source's loop and follows the source as a view does. A version is told only to the views whose part
/// has changed. So a change costs the same whether one view or 10,000 views show other parts. Its views follow the
/// whole list once the list cannot be divided any more.
actor DividedSource: SourceFollower {
    nonisolated let loop: EventLoop
    nonisolated let environment: HostEnvironment
    /// How the list is divided.
    nonisolated let rule: PartRule
    private nonisolated let source: any ViewSource
    private nonisolated let told = Atomic<Int>(0)

    var inbox = SourceInbox<DividedSource>()
    private(set) var isOver = false
    /// The retained versions with their division, oldest first.
    private var versions = Deque<DividedVersion>()
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
        guard let newest = versions.last else { return }
        for (view, key) in joining {
            views[key, default: [:]][ObjectIdentifier(view)] = view
            view.expect(newest.version.state.version)
            view.tell(.beginning(parts(key)))
        }
        joining = []
    }

    /// The versions of a part: those that have changed it, and the newest.
    ///
    /// - Complexity: O(*v*) in the number of versions.
    private func parts(_ key: PartKey) -> [SourceVersion] {
        var parts: [SourceVersion] = []
        var last: DividedList?
        for (index, version) in versions.enumerated() {
            let isNewest = index == versions.count - 1
            if !isNewest, let last, version.list.hasSamePart(key, as: last) { continue }
            parts.append(version.part(key))
            last = version.list
        }
        return parts
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

    private func tell(_ view: ViewInstance, _ version: SourceVersion) {
        view.expect(version.state.version)
        view.tell(.version(version))
    }

    // MARK: Following

    func handle(_ message: SourceNews) {
        switch message {
        case .beginning(let versions): begin(versions)
        case .version(let version): update(to: version)
        case .defined(let definition):
            if !versions.isEmpty { versions[versions.count - 1].version.definition = definition }
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

    private func begin(_ versions: [SourceVersion]) {
        let rule = rule
        update(Deque<DividedVersion>(), cost: SourceVersion.cost(ofAll: versions)) { divided in
            var list: DividedList?
            for version in versions {
                if list?.update(to: version.state.list) == nil {
                    // Versions before one that cannot be divided are left out.
                    divided.removeAll()
                    list = DividedList(version.state.list, by: rule)
                }
                if let list { divided.append(DividedVersion(version: version, list: list)) }
            }
        } then: { division, divided, _ in
            guard let newest = divided.last, newest.version.state.version == versions.last?.state.version else {
                return division.endUndivided()
            }
            division.versions = divided
            division.settle(newest.version)
        }
    }

    private func update(to version: SourceVersion) {
        guard let newest = versions.last else { return endUndivided() }
        update(newest.list, cost: version.cost) { list in
            list.update(to: version.state.list)
        } then: { division, list, changed in
            guard let changed else { return division.endUndivided() }
            division.publish(DividedVersion(version: version, list: list), changed)
        }
    }

    private func publish(_ new: DividedVersion, _ changed: Set<PartKey>) {
        versions.append(new)
        versions[versions.count - 1].version.change = nil
        while versions.count > 1, versions[0].version.state.version < new.version.oldest { versions.removeFirst() }
        var followed = sources
        for key in changed {
            guard let views = views[key] else { continue }
            let part = new.part(key)
            for (identifier, view) in views {
                tell(view, part)
                followed[identifier] = nil
            }
        }
        for view in followed.values {
            if let key = view.part?.key { tell(view, new.part(key)) }
        }
        settle(new.version)
    }

    /// Notes that every view is told of a version, and tells those of it that have come meanwhile.
    private func settle(_ version: SourceVersion) {
        told.store(version.state.version, ordering: .releasing)
        welcome()
        count(bytes: versions.last?.list.memory ?? 0)
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
        (views, joining, sources, versions) = ([:], [], [:], [])
        count(bytes: 0)
        source.release(self, isRefused: isRefused)
        clearInbox()
    }
}

/// A version of a source with its division.
private struct DividedVersion: Sendable {
    var version: SourceVersion
    let list: DividedList

    /// The version of a part.
    func part(_ key: PartKey) -> SourceVersion {
        var part = version
        part.state = PublishedState(version: version.state.version, list: list.part(key))
        return part
    }
}
