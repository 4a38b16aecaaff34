import ListDiff

/// The part of a director that a whole list replaces.
package enum ContentTarget: Hashable, Sendable {
    /// All sections.
    case everything
    /// Nothing: elements come behind those of sections that are there, and sections behind all.
    case end
    /// The elements of a model row.
    case row(section: Address, row: Address)
    /// Nothing: elements come behind those of a model row.
    case endOfRow(section: Address, row: Address)

    /// The row; nil for a list of sections.
    var row: (section: Address, row: Address)? {
        switch self {
        case .everything, .end: nil
        case .row(let section, let row), .endOfRow(let section, let row): (section, row)
        }
    }
}

/// A list that was read whole and checked, to become a director's content in one operation.
package struct ReplacementContent: Sendable {
    /// The part of the director that it replaces.
    package let target: ContentTarget
    let sections: [CheckedSection]
    fileprivate let adapters: AdapterRegistry
    fileprivate let kind: DirectorKind

    init(target: ContentTarget, sections: [CheckedSection], adapters: AdapterRegistry, kind: DirectorKind) {
        self.target = target
        self.sections = sections
        self.adapters = adapters
        self.kind = kind
    }

    /// How many elements it has.
    package var elementCount: Int { sections.reduce(0) { $0 + $1.counts.elements } }

    /// Whether it was made with what the director is.
    package func fits(_ director: Director) -> Bool {
        kind == director.kind && adapters == director.adapters
    }

    /// The elements of a director whose place it takes.
    ///
    /// - Complexity: O(*n*) in the number of elements that are asked for.
    private func replaced(in director: Director) throws(DirectorError) -> [Element] {
        let list = director.working.list
        switch target {
        case .end, .endOfRow: return []
        case .row(let section, let row):
            return Array(list.elements(at: try list.elementList(of: .row(section: section, row: row))))
        case .everything:
            return list.sections.flatMap { section in
                section.rows.map { $0.flatMap { Array($0.elements) } } ?? Array(section.list)
            }
        }
    }

    /// The number of replaced elements that it does not contain, and the number of all elements that it replaces.
    ///
    /// - Complexity: O(*n*) in the numbers of elements.
    package func removals(from director: Director) throws(DirectorError) -> (removed: Int, of: Int) {
        let old = try replaced(in: director)
        var left: [ElementIdentity: Int] = [:]
        left.reserveCapacity(old.count)
        for element in old { left[element.differenceIdentifier, default: 0] += 1 }
        var kept = 0
        for section in sections {
            for element in section.elements + (section.rows ?? []).flatMap({ Array($0.elements) }) {
                guard let count = left[element.differenceIdentifier], count > 0 else { continue }
                left[element.differenceIdentifier] = count - 1
                kept += 1
            }
        }
        return (old.count - kept, old.count)
    }

    /// Whether it has no elements and takes the place of some.
    package func empties(_ director: Director) throws(DirectorError) -> Bool {
        guard elementCount == 0 else { return false }
        switch target {
        case .end, .endOfRow: return false
        case .everything: return director.working.list.elementCount > 0
        case .row: return try !replaced(in: director).isEmpty
        }
    }

    /// The operations that do the same to a director that has the same content.
    fileprivate func operations(on list: ListState) -> [Operation] {
        switch target {
        case .everything: return [.sections(.set(sections.map(\.draft)))]
        case .row(let section, let row):
            return [
                .elements(
                    of: .row(section: section, row: row), .set(sections.first?.elements.map(\.draft) ?? []))
            ]
        case .endOfRow(let section, let row):
            let drafts = sections.first?.elements.map(\.draft) ?? []
            return drafts.isEmpty ? [] : [.elements(of: .row(section: section, row: row), .add(drafts))]
        case .end:
            var known: [SectionIdentity: Bool] = [:]
            return sections.map { section in
                let identity = SectionIdentity(section.identifier)
                let isThere = known[identity] ?? !list.content.positions(of: section.identifier, limit: 1).isEmpty
                known[identity] = true
                guard isThere, section.rows == nil else { return .sections(.add([section.draft])) }
                return .elements(
                    of: .section(.identifier(section.identifier)), .add(section.elements.map(\.draft)))
            }
        }
    }
}

extension Director {
    /// Puts a list that was read whole in its place; what stays is taken over from what is there.
    ///
    /// - Complexity: O(*n*) hashes and comparisons in the number of elements.
    /// - Returns: The operations that do the same when they are performed again.
    /// - Throws: That it is too large, that it has an identifier twice which is unique, or that a section or a row is not
    ///   there any more; nothing has changed then.
    package mutating func replaceContent(with content: ReplacementContent) throws(DirectorError) -> [Operation] {
        try checkOwnContent()
        let context = OperationContext(kind: kind, adapters: adapters, limits: limits)
        let operations = content.operations(on: working.list)
        switch content.target {
        case .everything:
            var list = working.list
            try list.replaceAll(with: content.sections, context)
            if adapters.hasUnique, limits.checksIdentifiers { try adapters.checkUnique(in: list) }
            working.list = list
            working.revision += 1
        case .end, .row, .endOfRow:
            // These follow the list that they come to.
            if operations.isEmpty { working.revision += 1 } else { _ = try perform(operations) }
        }
        return operations
    }

    /// Takes over the content that a copy of an earlier state was given by ``replaceContent(with:)``.
    package mutating func takeContent(of other: Director) {
        working.list = other.working.list
        working.revision += 1
    }
}

extension CheckedSection {
    /// The section as an operation brings it in.
    fileprivate var draft: SectionDraft {
        SectionDraft(
            identifier: identifier, attributes: attributes, elements: elements.map(\.draft),
            rows: rows?.map { RowDraft($0.settings.values, elements: $0.elements.map(\.draft)) })
    }
}

extension Element {
    /// The element as an operation brings it in.
    package var draft: ElementDraft { ElementDraft(model: model, value: value) }
}
