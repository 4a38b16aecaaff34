import JSONValues
import Notation

extension Director {
    /// The event of a name at a level.
    ///
    /// - Throws: The adapter is not there, or does not have the event; the error lists the events that it has.
    package func event(_ name: String, at level: HookLevel) throws(DirectorError) -> EventDefinition {
        try checkAdapter(of: level)
        // A view has no elements of its own that could come from somewhere.
        guard let event = EventCatalog.event(name, at: level, in: kind),
            event.isForUIs || derivation == nil && level.view == nil
        else {
            throw DirectorError(.eventUnknown(name, level.source(in: kind)))
        }
        return event
    }

    /// The hook on an event.
    ///
    /// - Throws: There is no such adapter, event or hook.
    package func hook(on name: String, at level: HookLevel) throws(DirectorError) -> EventHook {
        _ = try event(name, at: level)
        guard let hook = hooks[level, name] else { throw DirectorError(.hookNotFound(event: name)) }
        return hook
    }

    /// Registers a hook on an event, in place of the one that it has (FlowKit's `adapter.events.didSelect = …`).
    ///
    /// - Returns: Whether anything has changed: registering an equal hook again is ignored. A change raises the revision.
    /// - Throws: That there is no such adapter or event, or that there are too many hooks.
    @discardableResult
    package mutating func setHook(
        _ hook: EventHook, on name: String, at level: HookLevel
    ) throws(DirectorError) -> Bool {
        _ = try event(name, at: level)
        try checkOwnContent()
        guard hooks[level, name] != hook else { return false }
        if hooks[level, name] == nil { try checkCount(of: hooks.count + 1) }
        hooks[level, name] = hook
        working.revision += 1
        return true
    }

    /// Removes the hook on an event. The revision rises.
    ///
    /// - Throws: There is no such adapter, event or hook.
    package mutating func removeHook(on name: String, at level: HookLevel) throws(DirectorError) {
        _ = try hook(on: name, at: level)
        hooks[level, name] = nil
        working.revision += 1
    }

    /// Removes all hooks of views.
    ///
    /// - Returns: Whether there were any; then the revision rises.
    package mutating func removeHooks(of views: Set<ViewLife>) -> Bool {
        let count = hooks.count
        hooks.keep { level, _ in level.view.map { !views.contains($0) } ?? true }
        guard hooks.count != count else { return false }
        working.revision += 1
        return true
    }

    /// Disables a hook, for example because its target has answered that it is gone.
    ///
    /// - Returns: Whether anything has changed; false where there is no such hook, or where it is disabled already. A
    ///   change raises the revision.
    @discardableResult
    package mutating func disableHook(on name: String, at level: HookLevel, reason: String) -> Bool {
        guard var hook = hooks[level, name], !hook.isDisabled else { return false }
        hook.disabledReason = String(reason.prefix(EventHook.maximumReasonLength))
        hooks[level, name] = hook
        working.revision += 1
        return true
    }

    /// Registers a cell adapter with all its hooks; they stay as they are where none are given.
    ///
    /// - Returns: Whether anything has changed. A change raises the revision by one, whatever has changed.
    /// - Throws: As registering the adapter does, and that an event is unknown or that there are too many hooks.
    @discardableResult
    package mutating func register(
        _ adapter: CellAdapter, hooks: [Name: EventHook]?
    ) throws(DirectorError) -> Bool {
        try register(hooks, at: .cell(adapter.model)) { director throws(DirectorError) in
            try director.register(adapter)
        }
    }

    /// Registers a header or footer adapter with all its hooks; they stay as they are where none are given.
    ///
    /// - Returns: Whether anything has changed. A change raises the revision by one, whatever has changed.
    /// - Throws: As registering the adapter does, and that an event is unknown or that there are too many hooks.
    @discardableResult
    package mutating func register(
        _ adapter: HeaderFooterAdapter, hooks: [Name: EventHook]?
    ) throws(DirectorError) -> Bool {
        try register(hooks, at: .headerFooter(adapter.view)) { director throws(DirectorError) in
            try director.register(adapter)
        }
    }

    private mutating func register(
        _ hooks: [Name: EventHook]?, at level: HookLevel,
        _ registerAdapter: (inout Director) throws(DirectorError) -> Bool
    ) throws(DirectorError) -> Bool {
        guard let hooks else { return try registerAdapter(&self) }
        if derivation != nil, !hooks.isEmpty {
            let detail = "the hooks of a view are registered one by one, at …/events/{event}"
            throw DirectorError(.refused([Fault(pointer: "/events", detail: detail)]), pointer: "/events")
        }
        var copy = self
        _ = try registerAdapter(&copy)
        for name in hooks.keys.sorted() { _ = try copy.event(name.text, at: level) }
        let earlier = copy.hooks.hooks(at: level)
        try copy.checkCount(of: copy.hooks.count - earlier.count + hooks.count, unlessBelow: copy.hooks.count)
        copy.hooks.replace(at: level, with: hooks)
        guard copy.revision != revision || earlier != hooks else { return false }
        copy.working.revision = revision + 1
        self = copy
        return true
    }

    /// Puts hooks that were stored in the place of all that there are; the limits are not asked.
    ///
    /// - Parameters:
    ///   - hooks: The hooks, of adapters that are there.
    ///   - revision: The revision before what changed them. It rises by one where hooks have changed and nothing else
    ///     has raised it since.
    package mutating func restore(_ hooks: HookRegistry, since revision: Int) {
        guard self.hooks != hooks else { return }
        self.hooks = hooks
        if working.revision == revision { working.revision += 1 }
    }

    private func checkAdapter(of level: HookLevel) throws(DirectorError) {
        switch level {
        case .cell(let model):
            if adapters.cells[model] == nil { throw DirectorError(.adapterNotFound(model: model)) }
        case .headerFooter(let view):
            if adapters.headerFooters[view] == nil { throw DirectorError(.viewNotFound(view: view)) }
        case .row(let section, let row):
            // A row that is gone may have hooks still: it may come back, and they can be removed.
            guard hooks.hooks(at: level).isEmpty, !working.list.hasRow(row, in: section) else { return }
            throw DirectorError(.notFound(.row, .identifier(row), count: 0))
        case .section(let section):
            // A section that is gone may have hooks still, as a row may.
            guard hooks.hooks(at: level).isEmpty, !working.list.knows(section: section) else { return }
            throw DirectorError(.notFound(.section, .identifier(section), count: working.list.sections.count))
        case .viewed(_, let level): try checkAdapter(of: level)
        case .director, .scroll: break
        }
    }

    private func checkCount(of count: Int, unlessBelow earlier: Int = -1) throws(DirectorError) {
        guard count <= limits.hooks || count <= earlier else {
            throw DirectorError(.limitExceeded(.hooks, limit: limits.hooks))
        }
    }
}
