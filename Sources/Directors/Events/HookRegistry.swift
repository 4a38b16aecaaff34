import Notation

/// The hooks of a director, by where they are registered and on which event.
package struct HookRegistry: Hashable, Sendable {
    /// A hook with its place.
    package struct Entry: Hashable, Sendable {
        /// Where it is registered.
        package let level: HookLevel
        /// On which event.
        @Verbatim package private(set) var event: String
        /// The hook.
        package let hook: EventHook
    }

    private(set) var levels: [HookLevel: [Name: EventHook]] = [:]

    /// How many hooks there are.
    package private(set) var count = 0

    /// Makes a registry without hooks.
    package init() {}

    /// Makes a registry of hooks that were stored; of several for one event the last one counts.
    package init(_ entries: [Entry]) {
        for entry in entries { self[entry.level, entry.event] = entry.hook }
    }

    /// Whether there are none.
    package var isEmpty: Bool {
        count == 0
    }

    /// The hook on an event at a level.
    package internal(set) subscript(level: HookLevel, event: String) -> EventHook? {
        get { levels[level]?[event] }
        set {
            let earlier = levels[level]?[event]
            levels[level, default: [:]][event] = newValue
            if levels[level]?.isEmpty == true { levels[level] = nil }
            count += (newValue == nil ? 0 : 1) - (earlier == nil ? 0 : 1)
        }
    }

    /// The hooks at a level by their events.
    package func hooks(at level: HookLevel) -> [Name: EventHook] {
        levels[level] ?? [:]
    }

    /// All hooks: those of cell adapters, of header/footer adapters, of the director and of its scroll view, by name.
    package var entries: [Entry] {
        levels.sorted { $0.key < $1.key }.flatMap { level, hooks in
            hooks.sorted { $0.key < $1.key }.map { Entry(level: level, event: $0.key.text, hook: $0.value) }
        }
    }

    /// The rows that have hooks, by section and row.
    ///
    /// - Complexity: O(*l* log *l*) in the number of levels that have hooks.
    package var rowLevels: [HookLevel] {
        levels.keys.filter { if case .row = $0 { true } else { false } }.sorted()
    }

    /// The same events with hooks that have no target: what subscribers are told.
    ///
    /// - Complexity: O(*h*) in the number of hooks.
    package var withoutTargets: HookRegistry {
        var registry = self
        registry.levels = levels.mapValues { hooks in hooks.mapValues { _ in EventHook(url: nil, secrets: []) } }
        return registry
    }

    /// The hooks as the readers of a view see them: those of the view in place of the ones of the list that it follows.
    ///
    /// - Parameter views: The view, and those that it follows in their order.
    /// - Complexity: O(*h v*) in the numbers of hooks and views; O(*l*) in the number of levels where no view has a hook.
    package func shown(at views: [ViewLife]) -> HookRegistry {
        guard levels.keys.contains(where: { $0.view != nil }) else { return self }
        var shown = self
        shown.keep { level, _ in level.view == nil }
        for view in views.reversed() {
            for (level, hooks) in levels where level.view == view {
                for (event, hook) in hooks { shown[level.unviewed, event.text] = hook }
            }
        }
        return shown
    }

    /// Whether there are hooks at an adapter, those of views counted.
    package func hasAny(at level: HookLevel) -> Bool { levels.keys.contains { $0.unviewed == level } }

    /// Removes all hooks at an adapter, those of views too.
    mutating func removeAll(at level: HookLevel) {
        for other in Array(levels.keys) where other.unviewed == level { replace(at: other, with: [:]) }
    }

    /// The lives of views that have hooks.
    ///
    /// - Complexity: O(*l*) in the number of levels that have hooks.
    package var views: Set<ViewLife> { Set(levels.keys.compactMap(\.view)) }

    /// Puts hooks in the place of all that a level has.
    mutating func replace(at level: HookLevel, with hooks: [Name: EventHook]) {
        count += hooks.count - (levels[level]?.count ?? 0)
        levels[level] = hooks.isEmpty ? nil : hooks
    }

    /// Takes away the hooks whose event a predicate does not want.
    mutating func keep(where isKept: (HookLevel, String) -> Bool) {
        for entry in entries where !isKept(entry.level, entry.event) { self[entry.level, entry.event] = nil }
    }
}
