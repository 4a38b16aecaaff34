extension StageReplay {
    @inlinable
    mutating func updateElements() throws(ChangesetError) {
        for (index, change) in changeset.elementUpdated.enumerated() {
            let edit = try takeElement(change.at, .elementUpdated, index)
            guard edits[edit].edit.matches(change.element.differenceIdentifier, at: change.at.element) else {
                throw misfit(.elementUpdated, index, .differentIdentifier)
            }
            edits[edit].edit.update(at: change.at.element, with: change.element)
        }
    }

    @inlinable
    mutating func removeElements() throws(ChangesetError) {
        for (index, path) in changeset.elementDeleted.enumerated() {
            let edit = try takeElement(path, .elementDeleted, index)
            edits[edit].edit.remove(at: path.element)
        }
        for (index, move) in changeset.elementMoved.enumerated() {
            let edit = try takeElement(move.from, .elementMoved, index)
            edits[edit].edit.remove(at: move.from.element)
        }
    }

    @inlinable
    mutating func addElements() throws(ChangesetError) {
        for (index, change) in changeset.elementInserted.enumerated() {
            try add(Edit.item(of: change.element), at: change.at, .elementInserted, index)
        }
        for (index, move) in changeset.elementMoved.enumerated() {
            // The source was taken, so its section has an edit.
            let edit = beginEdit(of: move.from.section - firstSection)
            try add(edits[edit].edit.item(at: move.from.element), at: move.to, .elementMoved, index)
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
        let count = edits[edit].edit.count
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
        _ item: Edit.Item,
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
        edits[edit].edit.add(Arrival(at: path.element, item: item, operation: operation, index: index))
    }

    /// The position of a section in the replayed list, which may be one section of a longer list.
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
        edits.append((section, Edit(content(section))))
        return edits.count - 1
    }
}
