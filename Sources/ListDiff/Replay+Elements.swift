extension Replay {
    @inlinable
    mutating func updateElements() throws(ChangesetError) {
        for (index, change) in changeset.elementUpdated.enumerated() {
            let edit = try takeElement(change.at, .elementUpdated, index)
            let present = edits[edit].elements[change.at.element]
            guard change.element.differenceIdentifier == present.differenceIdentifier else {
                throw misfit(.elementUpdated, index, .differentIdentifier)
            }
            edits[edit].elements[change.at.element] = change.element
        }
    }

    @inlinable
    mutating func removeElements() throws(ChangesetError) {
        for (index, path) in changeset.elementDeleted.enumerated() {
            let edit = try takeElement(path, .elementDeleted, index)
            edits[edit].remove(at: path.element)
        }
        for (index, move) in changeset.elementMoved.enumerated() {
            let edit = try takeElement(move.from, .elementMoved, index)
            edits[edit].remove(at: move.from.element)
        }
    }

    @inlinable
    mutating func addElements() throws(ChangesetError) {
        for (index, change) in changeset.elementInserted.enumerated() {
            try add(change.element, at: change.at, .elementInserted, index)
        }
        for (index, move) in changeset.elementMoved.enumerated() {
            // The source was taken, so both indexes were in range.
            let element = edits[editIndexes[move.from.section - firstSection]].elements[move.from.element]
            try add(element, at: move.to, .elementMoved, index)
        }
    }

    /// Claims an element as the source of one operation, and finds the edit of its section.
    @inlinable
    mutating func takeElement(
        _ path: ElementPath,
        _ operation: ChangesetOperation,
        _ index: Int
    ) throws(ChangesetError) -> Int {
        guard let section = position(of: path.section, in: list.count) else {
            throw misfit(operation, index, .outOfRange(count: list.count))
        }
        guard !isDeleted[section] else {
            throw misfit(operation, index, .insideDeletedSection)
        }
        let edit = beginEdit(of: section)
        guard edits[edit].elements.indices.contains(path.element) else {
            throw misfit(operation, index, .outOfRange(count: edits[edit].elements.count))
        }
        guard edits[edit].take(path.element) else {
            throw misfit(operation, index, .sourceTaken)
        }
        return edit
    }

    @inlinable
    mutating func add(
        _ element: Section.Element,
        at path: ElementPath,
        _ operation: ChangesetOperation,
        _ index: Int
    ) throws(ChangesetError) {
        guard let place = position(of: path.section, in: origins.count) else {
            throw misfit(operation, index, .outOfRange(count: origins.count))
        }
        guard case .kept(let section) = origins[place] else {
            throw misfit(operation, index, .insideInsertedSection)
        }
        let edit = beginEdit(of: section)
        edits[edit].arrivals.append(.init(at: path.element, item: element, operation: operation, index: index))
    }

    /// The position of a section in the replayed list, which may be one section of a longer list.
    @inlinable
    func position(of section: Int, in count: Int) -> Int? {
        let (position, overflow) = section.subtractingReportingOverflow(firstSection)
        return !overflow && position >= 0 && position < count ? position : nil
    }

    @inlinable
    mutating func beginEdit(of section: Int) -> Int {
        if editIndexes[section] < 0 {
            editIndexes[section] = edits.count
            edits.append(SectionEdit(elements: list[section].elements))
        }
        return editIndexes[section]
    }
}
