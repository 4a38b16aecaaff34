import HashTreeCollections
import JSONValues
import ListDiff
import Notation

// Everywhere else a list comes about by operations and a published state by a reload; here they are put together out of
// what was stored of them.

extension Element {
    /// Makes an element that was stored as its value.
    ///
    /// - Throws: The adapter cannot read an identifier from the value.
    package convenience init(restoring value: JSONValue, adapter: CellAdapter) throws(RepresentationError) {
        do {
            try self.init(ElementDraft(value: value), adapter: adapter)
        } catch {
            throw RepresentationError([error.fault])
        }
    }
}

extension Section {
    /// Makes a section of elements.
    ///
    /// - Parameters:
    ///   - identifier: The identifier, taken as it is.
    ///   - attributes: The section's attributes.
    ///   - elements: All its elements; a collapsed section hides them.
    ///   - other: A section whose list has some of the same objects; the two share memory.
    /// - Complexity: O(*n*) in the number of elements.
    package init(
        identifier: String, attributes: SectionAttributes, elements: [Element], sharing other: Section? = nil
    ) {
        let list = other.map { $0.list.adopting(elements) { $0 === $1 } } ?? PersistentList(elements)
        self.init(identifier: identifier, attributes: attributes, list: list)
    }

    /// Makes a section of a list of elements, or of rows.
    package init(
        restoring identifier: String, attributes: SectionAttributes, list: PersistentList<Element>,
        rows: [Row]? = nil
    ) {
        self.init(
            identifier: identifier, attributes: attributes, list: list, rows: rows.map { PersistentList($0) })
    }
}

extension Row {
    /// Makes a row that was stored.
    ///
    /// - Parameters:
    ///   - draft: What the row says of itself; its elements are left aside.
    ///   - elements: A model row's elements.
    package init(restoring draft: RowDraft, elements: PersistentList<Element>) {
        self.init(RowSettings(draft.values), elements: elements)
    }
}

extension ListState {
    /// Makes a whole state of sections.
    ///
    /// - Parameters:
    ///   - sections: The sections in order.
    ///   - other: A state that has some of the sections, so that the two share memory.
    /// - Complexity: O(*s*) in the number of sections.
    package init(sections: [Section], sharing other: ListState? = nil) {
        let content = other.map { $0.content.adopting(sections) { $1.isInterchangeable(with: $0) } }
        self.init(content: content ?? PersistentList(sections))
    }
}

extension Director {
    /// Takes the revision that a command led to, which was performed again in more steps, or fewer, than it was then.
    package mutating func restore(revision: Int) {
        working.revision = revision
    }
}

extension PublishedState {
    /// Makes a published state; of the list it shows what subscribers see.
    package init(restoring list: ListState, version: Int) {
        self.init(version: version, list: list.projected)
    }

    /// The state that a change leads to.
    ///
    /// - Complexity: O(*k* log *n*) for *k* operations on a list of *n* elements.
    /// - Throws: An operation of the change that does not fit this state.
    package func applying(_ change: PublishedChange) throws(ChangesetError) -> PublishedState {
        PublishedState(version: change.version, list: try list.applying(change.changeset))
    }
}

extension Director {
    /// Makes a director that was stored.
    ///
    /// - Parameters:
    ///   - name: The name, taken as it is.
    ///   - epoch: Which life of that name.
    ///   - properties: The properties, and so the kind.
    ///   - adapters: The adapters: those of all elements of both states among them.
    ///   - hooks: The event hooks, of adapters that are among these.
    ///   - working: What operations change; it may hold more than the limits allow.
    ///   - published: What subscribers show. The next reload looks at what the two states do not share.
    ///   - limits: How much the director may hold.
    ///   - work: What it has cost to come here from the last snapshot.
    ///   - derivation: The rule of a view; nil for a director with content of its own.
    package init(
        restoring name: String, epoch: String, properties: DirectorProperties, adapters: AdapterRegistry,
        hooks: HookRegistry = HookRegistry(), working: WorkingState, published: PublishedState, limits: DirectorLimits,
        work: Int = 0, derivation: Derivation? = nil
    ) {
        self.init(name: name, epoch: epoch, properties: properties, derivation: derivation, limits: limits)
        self.adapters = adapters
        self.hooks = hooks
        self.working = working
        self.published = published
        reloaded = published.list
        self.work = work
        isRestored = true
    }
}

extension WorkingState {
    /// Makes a working state.
    package init(
        restoring list: ListState, revision: Int, variables: some Sequence<(key: Name, value: JSONValue)>,
        causes: CauseList = CauseList()
    ) {
        let shared = variables as? TreeDictionary<Name, JSONValue>
        self.init(
            revision: revision, list: list,
            variables: shared ?? TreeDictionary(uniqueKeysWithValues: variables.lazy.map { ($0.key, $0.value) }),
            causes: causes)
    }
}

extension AdapterRegistry {
    /// Makes a registry; of several adapters for one model or view the last one counts.
    package init(cells: [CellAdapter], headerFooters: [HeaderFooterAdapter]) {
        for adapter in cells { setCell(adapter, model: adapter.model) }
        for adapter in headerFooters { self.headerFooters[adapter.view] = adapter }
    }
}
