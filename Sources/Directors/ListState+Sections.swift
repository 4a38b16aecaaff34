import JSONValues
import ListDiff

extension ListState {
    /// Performs an operation that brings sections in.
    mutating func applyToSectionContent(_ operation: Operation, _ context: OperationContext) throws(DirectorError) {
        switch operation {
        case .setSections(let drafts):
            try replaceAll(with: try context.sections(drafts, pointer: "/sections"), context)
        case .addSections(let drafts, let address):
            let position = try content.insertion(address, of: .section, pointer: "/at")
            try insert(try context.sections(drafts, pointer: "/sections"), at: position, context)
        case .setSection(let address, let draft):
            try setSection(address, draft, context)
        case .patchSection(let address, let patch):
            let position = try content.position(address, of: .section, pointer: "/section")
            let section = content[position]
            let draft: SectionPatch
            do {
                draft = try SectionPatch(patch, of: section, within: context.limits)
            } catch {
                throw DirectorError(.refused(error.faults.map { $0.inside("/patch") }), pointer: "/patch")
            }
            try patchSection(at: position, draft, context)
        default:
            break
        }
    }

    /// Performs an operation that removes sections or puts them elsewhere.
    mutating func applyToSectionOrder(_ operation: Operation) throws(DirectorError) {
        switch operation {
        case .removeSection(let address):
            let position = try content.position(address, of: .section, pointer: "/section")
            changeSections { $0.remove(at: position) }
        case .removeSections(let addresses):
            let positions = try content.positions(addresses, of: .section)
            changeSections { $0.remove(at: positions) }
        case .removeAllSections:
            changeSections { $0 = [] }
        case .moveSection(let from, let to):
            let source = try content.movable(from, of: .section, pointer: "/from")
            let target = try content.movable(to, of: .section, pointer: "/to")
            if source != target { changeSections { $0.move(from: source, to: target) } }
        case .swapSections(let one, let other):
            let first = try content.movable(one, of: .section, pointer: "/at")
            let second = try content.movable(other, of: .section, pointer: "/with")
            if first != second { changeSections { $0.swapAt(first, second) } }
        default:
            break
        }
    }

    /// Puts sections in place of all.
    mutating func replaceAll(with sections: [CheckedSection], _ context: OperationContext) throws(DirectorError) {
        try context.check(
            sections: sections.count, elements: sections.reduce(0) { $0 + $1.counts.elements },
            rows: sections.reduce(0) { $0 + $1.counts.rows })
        adopt(sections)
    }

    /// Inserts sections.
    mutating func insert(
        _ sections: [CheckedSection], at position: Int, _ context: OperationContext
    ) throws(DirectorError) {
        let measure = content.measure
        try context.check(
            sections: content.count + sections.count,
            elements: sections.reduce(measure.elements) { $0 + $1.counts.elements },
            rows: sections.reduce(measure.rows) { $0 + $1.counts.rows })
        changeSections { $0.insert(contentsOf: sections.map { Section($0) }, at: position) }
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

    private mutating func setSection(
        _ address: Address, _ draft: SectionDraft, _ context: OperationContext
    ) throws(DirectorError) {
        if case .identifier(let identifier) = address {
            guard draft.identifier.map({ $0.utf8.elementsEqual(identifier.utf8) }) ?? true else {
                let detail = "the id is not the one that the section is addressed by, \(identifier.quoted)"
                throw DirectorError(.refused([Fault(pointer: "/value/id", detail: detail)]), pointer: "/value/id")
            }
            let existing = try content.existing(address, of: .section, pointer: "/section")
            let section = try context.section(
                draft, identifier: identifier, since: existing.map { content[$0] }, pointer: "/value")
            guard let position = existing else {
                try insert([section], at: content.count, context)
                return
            }
            try replaceSection(at: position, with: section, context)
            return
        }
        let position = try content.position(address, of: .section, pointer: "/section")
        let current = content[position]
        let section = try context.section(
            draft, identifier: current.identifier, since: current, pointer: "/value")
        try replaceSection(at: position, with: section, context)
    }

    private mutating func patchSection(
        at position: Int, _ patch: SectionPatch, _ context: OperationContext
    ) throws(DirectorError) {
        var faults = FaultList()
        context.check(patch.attributes, pointer: "/patch", &faults)
        if let detail = context.limits.fault(inSection: patch.identifier, since: content[position].identifier) {
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
            try replaceSection(at: position, with: section, context)
            return
        }
        changeSections { sections in
            let section = sections[position].with(identifier: patch.identifier, attributes: patch.attributes)
            sections.replace(at: position, with: section)
        }
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
