import ListDiff
import Notation

extension Director {
    /// Performs operations one after the other on the working state, each on what the one before has left; all or none.
    ///
    /// The revision rises by one, however many operations there are; of none, nothing changes.
    ///
    /// - Complexity: O(log *n*) for each section and element that an operation brings in, changes, moves or removes, out
    ///   of *n*. `setSections`, `setElements` and the like compare what comes in with what is there. After a copy was made
    ///   or a version published, the first change in a part of the list copies the way to it, O(log *n*) again.
    /// - Returns: Where the element stands that the last operation has put or patched by itself; nil after others.
    /// - Throws: The first operation that fails, with its position where there are several. Nothing has changed then.
    @discardableResult
    package mutating func perform(_ operations: [Operation]) throws(DirectorError) -> ElementPlace? {
        try perform(operations, namesPosition: operations.count > 1)
    }

    /// Performs a batch as `perform(_:)` does, and names the position of an operation that fails even if it is the only
    /// one: its body is a list.
    ///
    /// - Throws: The first operation that fails, with its position.
    package mutating func perform(batch operations: [Operation]) throws(DirectorError) {
        _ = try perform(operations, namesPosition: true)
    }

    private mutating func perform(
        _ operations: [Operation], namesPosition: Bool
    ) throws(DirectorError) -> ElementPlace? {
        guard !operations.isEmpty else { return nil }
        try checkOwnContent()
        var place: ElementPlace?
        var context = OperationContext(kind: kind, adapters: adapters, limits: limits)
        // An operation checks everything before it changes anything, so a single one has nothing to go back to; but
        // whether identifiers are unique is seen afterwards.
        let checksUnique = adapters.hasUnique && limits.checksIdentifiers
        let fallback = operations.count > 1 || checksUnique ? self : nil
        let revision = working.revision
        var work = BatchWork(limit: operations.count > 1 ? limits.batchWork : .max)
        var unique = checksUnique ? UniqueElements(adapters) : nil
        for (position, operation) in operations.enumerated() {
            do {
                let price = try work.add(operation, to: self)
                try checkTurn(before: price.units + price.reading)
                if operation.changesDefinition {
                    try define(operation)
                    context = OperationContext(kind: kind, adapters: adapters, limits: limits)
                    if adapters.hasUnique, limits.checksIdentifiers {
                        unique = unique ?? UniqueElements(adapters)
                        unique?.adapters = adapters
                    }
                } else {
                    place = try working.apply(operation, context)
                    self.work += price.units + price.reading
                    if price.rewritesElement, let place {
                        self.work += try work.add(patched: working.list.element(at: place))
                    }
                    note(operation)
                    unique?.note(operation, at: position, place.map { working.list.element(at: $0) })
                }
                if position == operations.count - 1 { try unique?.check(working.list) }
            } catch {
                if let fallback { self = fallback }
                var error = error
                error.operation = namesPosition ? error.operation ?? position : nil
                throw error
            }
        }
        working.revision = revision + 1
        return place
    }

    /// Notes a variable that the next reload has to look at.
    private mutating func note(_ operation: Operation) {
        switch operation {
        case .setVariable(let name, _), .removeVariable(let name):
            // Of others nobody asks: a row that comes to read one is evaluated as a whole.
            if visibility?.isRead(Name(name)) == true { changedVariables.insert(Name(name)) }
        case .sections, .rows, .elements, .newSection, .setAdapter, .removeAdapter: return
        }
    }

    /// Performs an operation on what the director is.
    private mutating func define(_ operation: Operation) throws(DirectorError) {
        switch operation {
        case .setAdapter(let adapter):
            do {
                try register(adapter)
            } catch {
                throw error.movingPointers(from: "/identifier", to: "/value/identifier")
                    .movingPointers(from: "/content", to: "/value/content")
            }
        case .removeAdapter(let model):
            do {
                try removeCellAdapter(model: model)
            } catch {
                var error = error
                error.pointer = "/model"
                throw error
            }
        case .sections, .rows, .elements, .newSection, .setVariable, .removeVariable: break
        }
    }

    /// Gives the director other properties; the content stays where the kind does.
    ///
    /// If the kind changes, all sections are removed. Adapters and variables stay, and so does the published state
    /// until the next reload. Hooks stay if the new kind has their events.
    ///
    /// - Returns: Whether anything has changed. A change raises the revision.
    @discardableResult
    package mutating func redefine(_ properties: DirectorProperties) -> Bool {
        guard properties != self.properties else { return false }
        if properties.kind != kind {
            working.list = ListState()
            hooks.keep { EventCatalog.event($1, at: $0, in: properties.kind) != nil }
        }
        self.properties = properties
        working.revision += 1
        return true
    }
}

extension WorkingState {
    /// Performs one operation, or throws without having changed anything.
    ///
    /// - Returns: The place of the element that was put or patched by itself; nil for other operations.
    mutating func apply(_ operation: Operation, _ context: OperationContext) throws(DirectorError) -> ElementPlace? {
        switch operation {
        case .sections(let edit):
            _ = try list.apply(edit, at: SectionLevel(), context)
        case .rows(let section, let edit):
            let level = try RowLevel(section, in: list)
            _ = try list.apply(edit, at: level, context)
        case .elements(let owner, let edit):
            let level = try ElementLevel(owner, in: list)
            return try list.apply(edit, at: level, context).map { ElementPlace(list: level.place, position: $0) }
        case .newSection(let identifier, let drafts, let place):
            _ = try PersistentList<Element>().insertion(place, of: .element, pointer: "/at")
            let draft = SectionDraft(identifier: identifier, elements: drafts)
            let section = Section(try context.section(draft, identifier: nil, pointer: ""))
            try SectionLevel().check(adding: [section], to: list, context)
            list.changeSections { $0.insert(section, at: $0.count) }
        case .setVariable(let name, let value):
            guard !value.isDeeper(than: context.limits.valueDepth) else {
                throw DirectorError(
                    refusing: "the value is nested deeper than \(context.limits.valueDepth) levels", at: "/value")
            }
            if variables[name] == nil {
                guard variables.count < context.limits.variables else {
                    throw DirectorError(.limitExceeded(.variables, limit: context.limits.variables))
                }
                try context.limits.check(newName: name, in: "name")
            }
            variables[name] = value
        case .removeVariable(let name):
            var found = variables[name] != nil ? Name(name) : nil
            if context.limits.areOfStored { found = found ?? Name.equivalent(to: name, among: variables.keys) }
            guard let found else { throw DirectorError(.variableNotFound(name: name), pointer: "/name") }
            variables[found] = nil
        case .setAdapter, .removeAdapter:
            // `Director.define(_:)` performs these: adapters are not part of the working state.
            break
        }
        return nil
    }
}
