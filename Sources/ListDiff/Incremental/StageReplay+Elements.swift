extension StageReplay {
    @inlinable
    mutating func updateElements() throws(ChangesetError) {
        for (index, change) in changeset.elementUpdated.enumerated() {
            let edit = try takeElement(change.at, .elementUpdated, index)
            let present = edits[edit].edit.elements[change.at.element]
            guard change.element.differenceIdentifier == present.differenceIdentifier else {
                throw misfit(.elementUpdated, index, .differentIdentifier)
            }
            edits[edit].edit.elements.replace(at: change.at.element, with: change.element)
        }
    }

    @inlinable
    mutating func removeElements() throws(ChangesetError) {
        for (index, path) in changeset.elementDeleted.enumerated() {
            let edit = try takeElement(path, .elementDeleted, index)
            edits[edit].edit.leaving.append(path.element)
        }
        for (index, move) in changeset.elementMoved.enumerated() {
            let edit = try takeElement(move.from, .elementMoved, index)
            edits[edit].edit.leaving.append(move.from.element)
        }
    }

    @inlinable
    mutating func addElements() throws(ChangesetError) {
        for (index, change) in changeset.elementInserted.enumerated() {
            try add(change.element, at: change.at, .elementInserted, index)
        }
        for (index, move) in changeset.elementMoved.enumerated() {
            // The source was taken, so its section has an edit.
            let edit = beginEdit(of: move.from.section - firstSection)
            let element = edits[edit].edit.elements[move.from.element]
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
        guard let section = position(of: path.section, in: sections.count) else {
            throw misfit(operation, index, .outOfRange(count: sections.count))
        }
        guard !sections.deleted.contains(section) else {
            throw misfit(operation, index, .insideDeletedSection)
        }
        let edit = beginEdit(of: section)
        let count = edits[edit].edit.elements.count
        guard path.element >= 0, path.element < count else {
            throw misfit(operation, index, .outOfRange(count: count))
        }
        guard edits[edit].edit.take(path.element) else {
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
        guard let place = position(of: path.section, in: sections.countAfter) else {
            throw misfit(operation, index, .outOfRange(count: sections.countAfter))
        }
        guard case .kept(let section) = sections.origin(of: place) else {
            throw misfit(operation, index, .insideInsertedSection)
        }
        let edit = beginEdit(of: section)
        let arrival = SectionEdit<Section.Element>.Arrival(
            at: path.element, element: element, operation: operation, index: index)
        edits[edit].edit.arrivals.append(arrival)
    }

    /// Where a section stands in the list that is replayed, which may be one section out of a longer list.
    @inlinable
    func position(of section: Int, in count: Int) -> Int? {
        let (position, overflow) = section.subtractingReportingOverflow(firstSection)
        return !overflow && position >= 0 && position < count ? position : nil
    }

    @inlinable
    mutating func beginEdit(of section: Int) -> Int {
        if let index = editIndexes[section] {
            return index
        }
        editIndexes[section] = edits.count
        edits.append((section, PersistentEdit(elements: content(section))))
        return edits.count - 1
    }
}
