/// The checks of operations, and the way from drafts to elements and sections.
struct OperationContext {
    let kind: DirectorKind
    let adapters: AdapterRegistry
    let limits: DirectorLimits
    /// Whether an element without an adapter is told which there are.
    var namesAdapters = true

    /// Makes the elements of drafts, or throws everything that is wrong with them.
    func elements(_ drafts: [ElementDraft], pointer: String) throws(DirectorError) -> [Element] {
        var faults = FaultList()
        let elements = elements(drafts, pointer: pointer, &faults)
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: pointer) }
        return elements
    }

    /// Makes the element of a draft, or throws what is wrong with it.
    ///
    /// - Parameter earlier: The element that it is to replace.
    func element(
        _ draft: ElementDraft, since earlier: Element? = nil, pointer: String
    ) throws(DirectorError) -> Element {
        switch make(draft, since: earlier) {
        case .success(let element): return element
        case .failure(let refusal):
            throw DirectorError(.refused([refusal.fault.inside(pointer)]), pointer: pointer)
        }
    }

    /// Makes the sections of drafts, or throws everything that is wrong with them.
    func sections(_ drafts: [SectionDraft], pointer: String) throws(DirectorError) -> [CheckedSection] {
        var faults = FaultList()
        var sections: [CheckedSection] = []
        sections.reserveCapacity(drafts.count)
        for (position, draft) in drafts.enumerated() {
            sections.append(section(draft, identifier: nil, pointer: "\(pointer)/\(position)", &faults))
            if faults.isFull { break }
        }
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: pointer) }
        return sections
    }

    /// Makes the section of a draft, with an identifier of its own where neither the draft nor the caller has one.
    func section(
        _ draft: SectionDraft, identifier: String?, since earlier: Section? = nil, pointer: String
    ) throws(DirectorError) -> CheckedSection {
        var faults = FaultList()
        let section = section(
            draft, identifier: identifier, since: earlier?.identifier, pointer: pointer, &faults)
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: pointer) }
        return section
    }

    /// Refuses attributes that the director's kind does not have, and views that no adapter is registered for.
    func check(_ attributes: SectionAttributes, pointer: String, _ faults: inout FaultList) {
        if limits.holdsSectionsToKind {
            SectionAttributes.fields.check(kind, of: attributes.values, "sections", pointer: pointer, &faults)
        }
        for (name, view) in [("headerView", attributes.headerView), ("footerView", attributes.footerView)] {
            guard let view, adapters.headerFooters[view] == nil, !limits.areOfStored else { continue }
            faults.append(
                "\(pointer)/\(name)",
                "no header/footer adapter is registered for the view \(view.quoted); register one first")
        }
    }

    /// Refuses what would pass the limits.
    func check(sections: Int, elements: Int, rows: Int = 0) throws(DirectorError) {
        guard sections <= limits.sections else {
            throw DirectorError(.limitExceeded(.sections, limit: limits.sections))
        }
        guard elements <= limits.elements else {
            throw DirectorError(.limitExceeded(.elements, limit: limits.elements))
        }
        guard rows <= limits.rows else { throw DirectorError(.limitExceeded(.rows, limit: limits.rows)) }
    }

    func section(
        _ draft: SectionDraft, identifier: String?, since earlier: String? = nil, pointer: String,
        _ faults: inout FaultList
    ) -> CheckedSection {
        check(draft.attributes, pointer: pointer, &faults)
        let identifier = draft.identifier ?? identifier ?? RandomIdentifier.uuid()
        if let detail = SectionDraft.fault(inIdentifier: identifier)
            ?? limits.fault(inSection: identifier, since: earlier)
        {
            faults.append("\(pointer)/id", detail)
        }
        let elements = elements(draft.elements, pointer: "\(pointer)/elements", &faults)
        var rows: [Row]?
        if let drafts = draft.rows { rows = self.rows(drafts, pointer: "\(pointer)/rows", &faults) }
        return CheckedSection(
            identifier: identifier, attributes: draft.attributes, elements: elements, rows: rows)
    }

    func elements(
        _ drafts: [ElementDraft], pointer: String, _ faults: inout FaultList
    ) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(drafts.count)
        for (position, draft) in drafts.enumerated() {
            switch make(draft) {
            case .success(let element): elements.append(element)
            case .failure(let refusal): faults.append(refusal.fault.inside("\(pointer)/\(position)"))
            }
            if faults.isFull { break }
        }
        return elements
    }

    /// Makes the element of a draft, or says why it cannot be made.
    ///
    /// - Parameters:
    ///   - earlier: The element that it is to replace.
    ///   - likely: An adapter of the context. It is not looked up where it is the draft's.
    func make(
        _ draft: ElementDraft, since earlier: Element? = nil, like likely: CellAdapter? = nil
    ) -> Result<Element, Refusal> {
        if let likely, let model = draft.model, model.isVerbatim(likely.values.model) {
            return make(draft, likely, since: earlier)
        }
        guard let adapter = adapters.adapter(of: draft, isStored: limits.areOfStored) else {
            return .failure(Refusal(fault: noAdapter(for: draft)))
        }
        return make(draft, adapter, since: earlier)
    }

    private func make(
        _ draft: ElementDraft, _ adapter: CellAdapter, since earlier: Element?
    ) -> Result<Element, Refusal> {
        if let detail = limits.fault(in: draft.value) {
            return .failure(Refusal(fault: Fault(pointer: "/value", detail: detail)))
        }
        switch Element.make(draft, adapter: adapter) {
        case .failure(let fault): return .failure(Refusal(fault: fault.fault.inside("/value")))
        case .success(let element):
            let detail = limits.fault(
                inIdentifier: element.identifier, of: "an element's identifier", since: earlier?.identifier)
            guard let detail else { return .success(element) }
            return .failure(Refusal(fault: Fault(pointer: "/value", detail: detail)))
        }
    }

    private func noAdapter(for draft: ElementDraft) -> Fault {
        guard namesAdapters else { return Fault(pointer: "", detail: "no cell adapter fits") }
        let registered = adapters.sortedCells.prefix(Fault.limit).map(\.model.quoted).joined(separator: ", ")
        let known = registered.isEmpty ? "none is registered" : "there are \(registered)"
        guard let model = draft.model else {
            return Fault(
                pointer: "",
                detail: "an element has to name its model unless exactly one cell adapter is registered; \(known)")
        }
        return Fault(
            pointer: "/model",
            detail: "no cell adapter is registered for the model \(model.quoted); \(known)")
    }

    /// Why an element cannot be made.
    struct Refusal: Error {
        let fault: Fault
    }
}

extension SectionDraft {
    /// The fault of a section's identifier; nil without one.
    static func fault(inIdentifier identifier: String) -> String? {
        if identifier.isEmpty { return "a section's id cannot be empty" }
        let limit = IdentifierTemplate.maximumIdentifierLength
        return identifier.utf8.count > limit ? "a section's id has at most \(limit) bytes" : nil
    }
}
