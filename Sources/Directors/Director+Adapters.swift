import ListDiff
import Notation

extension Director {
    /// Registers a cell adapter, in place of the one that its model has (FlowKit's `registerCellAdapter`).
    ///
    /// The elements of the model are taken over: where the adapter reads identifiers or content in another way, theirs
    /// are read anew, all of them or, if a value does not have what the new adapter reads, none. Published elements
    /// stay as they are until the next reload.
    ///
    /// - Complexity: O(1) for a new model, else O(*n*) in the number of elements.
    /// - Returns: Whether anything has changed: registering an equal adapter again is ignored. A change raises the
    ///   revision.
    /// - Throws: The elements of which the new adapter cannot read an identifier, or that there are too many adapters.
    @discardableResult
    package mutating func register(_ adapter: CellAdapter) throws(DirectorError) -> Bool {
        let earlier = adapters.cells[adapter.model]
        guard earlier != adapter else { return false }
        try checkIdentity(in: adapter)
        if limits.holdsSectionsToKind { try checkKind(of: adapter) }
        if let pointer = adapter.values.longPointer(limit: limits.pointerLength) {
            let detail = "a JSON pointer is longer than \(limits.pointerLength) bytes"
            throw DirectorError(.refused([Fault(pointer: pointer, detail: detail)]), pointer: pointer)
        }
        let units = BatchWork.units(adopting: adapter, on: self)
        if earlier == nil {
            guard adapters.cells.count < limits.adapters else {
                throw DirectorError(.limitExceeded(.adapters, limit: limits.adapters))
            }
            try limits.check(newName: adapter.model, in: "model")
        } else {
            try BatchWork.check(adopting: units, on: self)
            try checkTurn(before: units)
            let list = try working.list.readopted(by: adapter)
            if adapter.isUnique, limits.checksIdentifiers { try adapters.checkUnique(in: list, of: adapter) }
            working.list = list
        }
        work += units
        adapters.setCell(adapter, model: adapter.model)
        working.revision += 1
        return true
    }

    /// Refuses what adapters have in directors of another kind only.
    private func checkKind(of adapter: CellAdapter) throws(DirectorError) {
        var faults = FaultList()
        CellAdapter.fields.check(kind, of: adapter.values, "adapters", pointer: "", &faults)
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: "") }
    }

    /// Refuses an adapter of a view that says what elements are: they are the source's.
    private func checkIdentity(in adapter: CellAdapter) throws(DirectorError) {
        guard let derivation else { return }
        let told = [
            ("/identifier", adapter.values.identifier != .default), ("/content", adapter.values.content != nil),
            ("/unique", adapter.isUnique),
        ]
        let faults = told.filter(\.1).map { pointer, _ in
            Fault(
                pointer: pointer,
                detail: "a view shows the elements of \(derivation.source.quoted); set this in that director's adapter")
        }
        if let first = faults.first { throw DirectorError(.refused(faults), pointer: first.pointer) }
    }

    /// Registers several cell adapters with their hooks, all or none; hooks stay where none are given.
    ///
    /// - Returns: Whether anything has changed. A change raises the revision by one, whatever has changed.
    /// - Throws: As registering one does, with the position among these in front of the pointer.
    package mutating func register(
        _ drafts: [(adapter: CellAdapter, hooks: [Name: EventHook]?)]
    ) throws(DirectorError) -> Bool {
        var copy = self
        var work = BatchWork(limit: limits.batchWork)
        for (index, draft) in drafts.enumerated() {
            do {
                if drafts.count > 1 { try work.add(.setAdapter(draft.adapter), to: copy) }
                try copy.register(draft.adapter, hooks: draft.hooks)
            } catch {
                throw error.mappingPointers { "/\(index)\($0)" }
            }
        }
        guard copy.revision != revision else { return false }
        copy.working.revision = revision + 1
        self = copy
        return true
    }

    /// Registers a header or footer adapter, in place of the one that its view has (`registerHeaderFooterAdapter`).
    ///
    /// - Returns: Whether anything has changed. A change raises the revision.
    /// - Throws: That there are too many adapters.
    @discardableResult
    package mutating func register(_ adapter: HeaderFooterAdapter) throws(DirectorError) -> Bool {
        let earlier = adapters.headerFooters[adapter.view]
        guard earlier != adapter else { return false }
        if earlier == nil {
            guard adapters.headerFooters.count < limits.adapters else {
                throw DirectorError(.limitExceeded(.adapters, limit: limits.adapters))
            }
            try limits.check(newName: adapter.view, in: "view")
        }
        adapters.headerFooters[adapter.view] = adapter
        working.revision += 1
        return true
    }

    /// Removes a model's cell adapter and its hooks. The revision rises.
    ///
    /// - Complexity: O(*n*) in the number of elements.
    /// - Throws: That there is none, or where elements of the model are, in the working or the published state.
    package mutating func removeCellAdapter(model: String) throws(DirectorError) {
        guard let adapter = adapters.cell(of: model, isStored: limits.areOfStored) else {
            throw DirectorError(.adapterNotFound(model: model))
        }
        let units = BatchWork.price(of: .removeAdapter(model: model), on: self).units
        try checkTurn(before: units)
        for (state, list) in namedStates {
            let (paths, total) = list.paths(of: adapter.model)
            guard total == 0 else {
                throw DirectorError(.adapterInUse(model: model, at: paths, total: total, state: state))
            }
        }
        work += units
        adapters.setCell(nil, model: adapter.model)
        hooks.removeAll(at: .cell(adapter.model))
        working.revision += 1
    }

    /// Removes a view's header or footer adapter and its hooks. The revision rises.
    ///
    /// - Complexity: O(*s*) in the number of sections.
    /// - Throws: That there is none, or which sections show the view, in the working or the published state.
    package mutating func removeHeaderFooterAdapter(view: String) throws(DirectorError) {
        guard adapters.headerFooters[view] != nil else { throw DirectorError(.viewNotFound(view: view)) }
        for (state, list) in namedStates {
            let users = list.sections.enumerated().filter { _, section in
                section.attributes.headerView.isVerbatim(view) || section.attributes.footerView.isVerbatim(view)
            }.map(\.offset)
            guard users.isEmpty else {
                throw DirectorError(.viewInUse(view: view, sections: users, state: state))
            }
        }
        adapters.headerFooters[view] = nil
        hooks.removeAll(at: .headerFooter(view))
        working.revision += 1
    }

    private var namedStates: [(DirectorError.StateName, ListState)] {
        [(.working, working.list), (.published, published.list)]
    }
}

extension ListState {
    /// The places of a model's first elements, and their number; rows count as if none was hidden.
    ///
    /// - Complexity: O(*n*) in the number of elements that the state shows. An adapter is rarely removed; to count the
    ///   elements of each model would cost every operation something.
    func paths(of model: String) -> (first: [ElementPath], total: Int) {
        var paths: [ElementPath] = []
        var total = 0
        for (position, section) in sections.enumerated() {
            func count(_ list: PersistentList<Element>, from start: Int) {
                for (index, element) in list.enumerated() where element.model.isVerbatim(model) {
                    total += 1
                    guard paths.count < Fault.limit else { continue }
                    paths.append(ElementPath(section: position, element: start + index))
                }
            }
            count(section.list, from: 0)
            var start = 0
            for row in section.rows ?? [] {
                count(row.elements, from: start)
                start += row.measure.elements
            }
        }
        return (paths, total)
    }

    /// The list with an adapter in place of the one that its model's elements were made with.
    ///
    /// - Complexity: O(*n*) in the number of elements. Nodes without elements of the model are shared with this list.
    func readopted(by adapter: CellAdapter) throws(DirectorError) -> ListState {
        var faults = FaultList()
        var adopted = self
        for (position, section) in sections.enumerated() {
            if let list = section.list.readopted(by: adapter, "at [\(position), ", &faults) {
                adopted.changeSection(at: position) { $0.list = list }
            }
            for (index, row) in (section.rows ?? []).enumerated() where row.settings.model.isVerbatim(adapter.model) {
                let place = "of the row \(row.identifier.quoted) of the section at @\(position), at ["
                guard let list = row.elements.readopted(by: adapter, place, &faults) else { continue }
                adopted.changeSection(at: position) { $0.changeRows { $0.update(at: index) { $0.elements = list } } }
            }
        }
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: "/identifier") }
        return adopted
    }
}

extension PersistentList<Element> {
    /// The list with another adapter for the elements of its model; nil where it has none of them.
    ///
    /// - Parameters:
    ///   - adapter: The adapter.
    ///   - place: What names the place of an element up to its position in the list.
    ///   - faults: Takes the elements of which the adapter cannot read an identifier.
    fileprivate func readopted(by adapter: CellAdapter, _ place: String, _ faults: inout FaultList) -> Self? {
        guard contains(where: adapter.isOfModel) else { return nil }
        let elements = enumerated().map { index, element in
            guard adapter.isOfModel(element) else { return element }
            // Where identifier and content are read as before, the value need not be looked into.
            if adapter.readsAs(element.adapter) { return Element(showing: element, adapter: adapter) }
            switch Element.make(ElementDraft(value: element.value), adapter: adapter) {
            case .success(let made): return made
            case .failure(let fault):
                faults.append(
                    "/identifier", "the element \(place)\(index)] cannot be taken over: \(fault.fault.detail)")
                return element
            }
        }
        return adopting(elements) { $0 === $1 }
    }
}

extension CellAdapter {
    fileprivate func isOfModel(_ element: Element) -> Bool {
        element.model.isVerbatim(values.model)
    }
}
