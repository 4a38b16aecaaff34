import JSONValues
import ListDiff

/// The list of sections.
struct SectionLevel: ListLevel {
    static var member: DirectorError.Member { .section }

    func list(in state: ListState) -> PersistentList<Section> { state.content }

    func change(_ state: inout ListState, _ change: (inout PersistentList<Section>) -> Void) {
        state.changeSections(change)
    }

    func isSame(as _: SectionLevel) -> Bool { true }

    func set(_ drafts: [SectionDraft], in state: inout ListState, _ context: OperationContext) throws(DirectorError) {
        try state.replaceAll(with: try context.sections(drafts, pointer: "/sections"), context)
    }

    func make(
        _ drafts: [SectionDraft], for _: ListState, _ context: OperationContext
    ) throws(DirectorError) -> [Section] {
        try context.sections(drafts, pointer: "/sections").map { Section($0) }
    }

    func check(adding sections: [Section], to state: ListState, _ context: OperationContext) throws(DirectorError) {
        let measure = sections.reduce(into: state.content.measure) { $0 += $1.measure }
        try context.check(
            sections: state.content.count + sections.count, elements: measure.elements, rows: measure.rows)
    }

    func check(
        putting draft: SectionDraft, at address: Address, in _: ListState, _: OperationContext
    ) throws(DirectorError) {
        guard case .identifier(let identifier) = address, let own = draft.identifier, !own.isVerbatim(identifier) else {
            return
        }
        throw DirectorError(
            refusing: "the id has to be \(identifier.quoted), by which the section is addressed", at: "/value/id")
    }

    func make(
        new draft: SectionDraft, named identifier: String, for _: ListState, _ context: OperationContext
    ) throws(DirectorError) -> Section {
        Section(try context.section(draft, identifier: identifier, pointer: "/value"))
    }

    func replace(
        _ current: Section, at position: Int, with draft: SectionDraft, in state: inout ListState,
        _ context: OperationContext
    ) throws(DirectorError) {
        let section = try context.section(
            draft, identifier: current.identifier, since: current, pointer: "/value")
        try state.replaceSection(at: position, with: section, context)
    }

    func patch(
        _ current: Section, at position: Int, with patch: ValueDraft, in state: inout ListState,
        _ context: OperationContext
    ) throws(DirectorError) {
        let patch = try patched { () throws(RepresentationError) in
            try SectionPatch(patch.value, of: current, within: context.limits)
        }
        var faults = FaultList()
        context.check(patch.attributes, pointer: "/patch", &faults)
        if let detail = context.limits.fault(inSection: patch.identifier, since: current.identifier) {
            faults.append("/patch/id", detail)
        }
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: "/patch") }
        if patch.replacesContent {
            let rows = try patch.rows.map { drafts throws(DirectorError) in
                try context.rows(drafts, pointer: "/patch/rows")
            }
            let section = CheckedSection(
                identifier: patch.identifier, attributes: patch.attributes,
                elements: try context.elements(patch.elements ?? [], pointer: "/patch/elements"), rows: rows)
            return try state.replaceSection(at: position, with: section, context)
        }
        let section = current.with(identifier: patch.identifier, attributes: patch.attributes)
        state.changeSections { $0.replace(at: position, with: section) }
    }

    func target(_: Never, in _: ListState) -> SectionLevel {}

    func check(moving _: Section, to _: ListState) {}
}

/// Reads a patched item; what is wrong with it is wrong with the patch.
func patched<Value>(_ read: () throws(RepresentationError) -> Value) throws(DirectorError) -> Value {
    do {
        return try read()
    } catch {
        throw DirectorError(.refused(error.faults.map { $0.inside("/patch") }), pointer: "/patch")
    }
}

extension ListState {
    /// Puts sections in place of all.
    mutating func replaceAll(with sections: [CheckedSection], _ context: OperationContext) throws(DirectorError) {
        try context.check(
            sections: sections.count, elements: sections.reduce(0) { $0 + $1.counts.elements },
            rows: sections.reduce(0) { $0 + $1.counts.rows })
        adopt(sections)
    }

    /// Puts sections in place of all, and takes over what has not changed: of several with one identifier, the first from
    /// the first, the second from the second and so on.
    private mutating func adopt(_ sections: [CheckedSection]) {
        var present: [SectionIdentity: ArraySlice<Int>] = [:]
        present.reserveCapacity(sections.count)
        let adopted = sections.map { section in
            let identity = SectionIdentity(section.identifier)
            let position = present[identity, default: content.positions(of: section.identifier)[...]].popFirst()
            return Section(section, adopting: position.map { content[$0] })
        }
        changeSections { $0 = $0.adopting(adopted) { old, new in new.isInterchangeable(with: old) } }
    }

    /// Puts a section in the place of another one.
    mutating func replaceSection(
        at position: Int, with section: CheckedSection, _ context: OperationContext
    ) throws(DirectorError) {
        let (old, all) = (content[position].measure, content.measure)
        try context.check(
            sections: content.count, elements: all.elements - old.elements + section.counts.elements,
            rows: all.rows - old.rows + section.counts.rows)
        let replacement = Section(section, adopting: content[position])
        changeSections { $0.replace(at: position, with: replacement) }
    }
}
