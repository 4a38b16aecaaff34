import ListDiff
import Notation

/// The work of bringing one section of rows from an evaluated state to a later one.
struct SectionUpdate {
    let section: Section
    /// The rows, and the elements that they show.
    private(set) var rows: PersistentList<EvaluatedRow>
    private(set) var elements: PersistentList<Element>
    /// The rows that were evaluated as a whole.
    private(set) var evaluated: Set<RowIdentity> = []
    /// Whether rows have come or gone, or have other settings.
    private(set) var changesRows: Bool

    private let earlier: EvaluatedSection?
    private let change: SurroundingChange

    /// - Parameters:
    ///   - section: The section as it is to be shown.
    ///   - earlier: An evaluated state of it; nil for a section that is new.
    ///   - variables: The names of the variables that have changed since that state.
    init(_ section: Section, earlier: EvaluatedSection?, variables: Set<Name>) {
        self.section = section
        self.earlier = earlier?.rows == nil ? nil : earlier
        change = SurroundingChange(
            variables: variables, section: earlier.map { !section.readsAs($0.source) } ?? false)
        changesRows = self.earlier == nil
        rows = self.earlier?.rows ?? []
        elements = self.earlier?.published.list ?? []
    }

    /// The section with what was done.
    var result: EvaluatedSection {
        EvaluatedSection(section, rows: rows, elements: elements)
    }

    /// Evaluates the rows and elements that differ from the earlier state.
    ///
    /// - Complexity: O(*k* log *n*) for *k* rows and elements that differ; all elements of a row whose settings differ.
    /// - Throws: The first row that cannot be published; its pointer is one on the section.
    mutating func run(_ evaluation: inout RowEvaluation) throws(RowFailure) {
        let target = section.rows ?? []
        let source = earlier?.source.rows ?? []
        let ranges = target.changedRanges(since: source) { !$1.isUnchanged(since: $0) }
        var moved: [RowIdentity: (row: EvaluatedRow, elements: Range<Int>)] = [:]
        for range in ranges where !isPairwise(range, source, target) { note(range.old, in: &moved) }
        for range in ranges.reversed() {
            if isPairwise(range, source, target) {
                for (old, new) in zip(range.old, range.new).reversed() {
                    try update(at: old, to: target[new], position: new, &evaluation)
                }
            } else {
                changesRows = true
                try replace(range, target, moved, &evaluation)
            }
        }
        guard change.section else { return }
        for position in 0..<rows.count where rows[position].row.settings.reads.readsSection {
            try evaluateAgain(at: position, &evaluation)
        }
    }

    /// Evaluates rows whose variables are others now.
    ///
    /// - Parameters:
    ///   - identities: The rows; those that have just been evaluated as a whole are passed over.
    ///   - evaluation: The reload's evaluation.
    mutating func evaluateAgain(
        _ identities: Set<RowIdentity>, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) {
        let positions = identities.compactMap { identity in
            rows.firstPosition(hash: identity.identityHash) { $0.differenceIdentifier == identity }
        }
        for position in positions.sorted() { try evaluateAgain(at: position, &evaluation) }
    }

    /// Whether the rows of a range are the same ones on both sides.
    private func isPairwise(
        _ range: ChangedRange, _ source: PersistentList<Row>, _ target: PersistentList<Row>
    ) -> Bool {
        range.old.count == range.new.count
            && zip(range.old, range.new).allSatisfy {
                source[$0].differenceIdentifier == target[$1].differenceIdentifier
            }
    }

    /// Keeps what rows show that go from where they are: they may come elsewhere.
    private func note(
        _ positions: Range<Int>, in moved: inout [RowIdentity: (row: EvaluatedRow, elements: Range<Int>)]
    ) {
        for position in positions {
            let row = rows[position]
            moved[row.differenceIdentifier] = (row, shownElements(of: position..<(position + 1)))
        }
    }

    /// The elements that some rows show, as positions in the section.
    private func shownElements(of positions: Range<Int>) -> Range<Int> {
        rows.measure(before: positions.lowerBound).elements..<rows.measure(before: positions.upperBound).elements
    }

    /// Puts rows in the place of others.
    private mutating func replace(
        _ range: ChangedRange, _ target: PersistentList<Row>,
        _ moved: [RowIdentity: (row: EvaluatedRow, elements: Range<Int>)], _ evaluation: inout RowEvaluation
    ) throws(RowFailure) {
        var new: [EvaluatedRow] = []
        var shown: [Element] = []
        for position in range.new {
            let row = target[position]
            if let source = moved[row.differenceIdentifier], source.row.row.isUnchanged(since: row),
                let list = earlier?.published.list
            {
                new.append(source.row)
                shown += list[source.elements]
                continue
            }
            let earlier = moved[row.differenceIdentifier]?.row
            let result = try evaluate(row, position: position, earlier: earlier, &evaluation)
            new.append(result.row)
            shown += result.elements
        }
        elements.replaceSubrange(shownElements(of: range.old), with: shown)
        rows.replaceSubrange(range.old, with: new)
    }

    private mutating func evaluate(
        _ row: Row, position: Int, earlier: EvaluatedRow?, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> (row: EvaluatedRow, elements: [Element]) {
        evaluated.insert(row.differenceIdentifier)
        do {
            return try EvaluatedRow.evaluate(row, in: section, earlier: earlier, &evaluation)
        } catch {
            throw error.inside("/rows/\(position)", row.identifier)
        }
    }

    /// Brings a row that stays where it is to another state.
    private mutating func update(
        at position: Int, to row: Row, position target: Int, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) {
        let old = rows[position]
        guard old.row.settings === row.settings else {
            changesRows = true
            let new = try evaluate(row, position: target, earlier: old, &evaluation)
            return put(new.row, showing: new.elements, at: position)
        }
        do {
            if change.concerns(row.settings.reads) {
                try evaluateAgain(old, as: row, at: position, &evaluation)
            } else {
                try updateElements(of: old, to: row, at: position, &evaluation)
            }
        } catch {
            throw error.inside("/rows/\(target)", row.identifier)
        }
    }

    /// Evaluates the elements that differ from those of the row as it was.
    private mutating func updateElements(
        of old: EvaluatedRow, to row: Row, at position: Int, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) {
        if row.isUnchanged(since: old.row) { return }
        let settings = row.settings
        if old.common.isHidden {
            let hidden = EvaluatedRow(
                row: row, common: old.common, shown: 0, visibility: nil, displays: old.displays, steps: old.steps)
            return put(hidden, showing: [], at: position)
        }
        var ranges = row.elements.changedRanges(since: old.row.elements) { $0 !== $1 }
        if settings.reads.readsIndex, let first = ranges.first, ranges.contains(where: { $0.old.count != $0.new.count })
        {
            // Where something comes or goes, what stands behind it has another index.
            ranges = [
                ChangedRange(
                    old: first.old.lowerBound..<old.row.elements.count, new: first.new.lowerBound..<row.elements.count)
            ]
        }
        let steps = evaluation.steps
        evaluation.charge(elements: ranges.reduce(0) { $0 + $1.new.count })
        try evaluation.check("")
        var evaluator = RowEvaluator(settings, in: section)
        var (displays, visibility, shown) = (old.displays, old.visibility, old.shown)
        let start = rows.measure(before: position).elements
        for range in ranges.reversed() {
            if range.old.count == 1, range.new.count == 1 {
                let place = range.old.lowerBound
                let element = row.elements[range.new.lowerBound]
                let face = try evaluator.face(
                    of: element, at: range.new.lowerBound, old.common, &displays, &evaluation)
                let now = VisibleElement(element: element, isShown: face != nil)
                let before = visibility?[place] ?? now
                let lower = start + old.shownElements(before: place)
                if let face, before.isShown {
                    elements.replace(at: lower, with: face)
                } else if let face {
                    elements.insert(face, at: lower)
                } else if before.isShown {
                    elements.remove(at: lower)
                }
                if before != now { visibility?.replace(at: place, with: now) }
                shown += (now.isShown ? 1 : 0) - (before.isShown ? 1 : 0)
                continue
            }
            let (lower, upper) = (
                old.shownElements(before: range.old.lowerBound), old.shownElements(before: range.old.upperBound)
            )
            var faces: [Element] = []
            var visible: [VisibleElement] = []
            for (index, element) in zip(range.new, row.elements[range.new]) {
                let face = try evaluator.face(of: element, at: index, old.common, &displays, &evaluation)
                if let face { faces.append(face) }
                if visibility != nil { visible.append(VisibleElement(element: element, isShown: face != nil)) }
            }
            elements.replaceSubrange(start + lower..<start + upper, with: faces)
            visibility?.replaceSubrange(range.old, with: visible)
            shown += faces.count - (upper - lower)
        }
        let new = EvaluatedRow(
            row: row, common: old.common, shown: shown, visibility: visibility, displays: displays,
            // Those of the elements that were there before stay in it, until the whole is counted anew.
            steps: old.steps + evaluation.steps - steps)
        rows.replace(at: position, with: new)
    }

    /// Evaluates a row of the new section whose inputs have changed.
    private mutating func evaluateAgain(at position: Int, _ evaluation: inout RowEvaluation) throws(RowFailure) {
        let old = rows[position]
        guard !evaluated.contains(old.differenceIdentifier) else { return }
        do {
            try evaluateAgain(old, as: old.row, at: position, &evaluation)
        } catch {
            throw error.inside("/rows/\(position)", old.row.identifier)
        }
    }

    /// Evaluates a row of which what it reads is another now, and maybe its elements too.
    private mutating func evaluateAgain(
        _ old: EvaluatedRow, as row: Row, at position: Int, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) {
        evaluated.insert(row.differenceIdentifier)
        var evaluator = RowEvaluator(row.settings, in: section)
        let start = evaluation.steps
        let common = try evaluator.common(&evaluation)
        guard common != old.common || change.concernsElements(row.settings.reads) else {
            return try updateElements(of: old, to: row, at: position, &evaluation)
        }
        let new = try EvaluatedRow.evaluate(
            row, common, evaluator: &evaluator, earlier: old, since: start, &evaluation)
        put(new.row, showing: new.elements, at: position)
    }

    /// Puts a row in the place of its earlier state; elements that show the same stay the objects that they are.
    private mutating func put(_ row: EvaluatedRow, showing new: [Element], at position: Int) {
        let range = shownElements(of: position..<(position + 1))
        rows.replace(at: position, with: row)
        guard !range.isEmpty || !new.isEmpty else { return }
        if range.isEmpty || new.isEmpty { return elements.replaceSubrange(range, with: new) }
        if range == 0..<elements.count {
            elements = elements.adopting(new) { $1.isSameAsShown($0) }
            return
        }
        let before = PersistentList(elements[range])
        let after = before.adopting(new) { $1.isSameAsShown($0) }
        // From the last, so that the positions of those before stay.
        for change in after.changedRanges(since: before, differs: { $0 !== $1 }).reversed() {
            let place = range.lowerBound + change.old.lowerBound..<range.lowerBound + change.old.upperBound
            elements.replaceSubrange(place, with: after[change.new])
        }
    }
}

extension EvaluatedRow {
    /// How many of the elements in front of a position are shown.
    func shownElements(before position: Int) -> Int {
        visibility?.measure(before: position).elements ?? position
    }
}

/// The changes around the rows of a section.
private struct SurroundingChange {
    /// The names of the variables that are others now.
    let variables: Set<Name>
    /// Whether expressions read something else of the section.
    let section: Bool

    /// Whether something that is read has changed.
    func concerns(_ reads: RowReads) -> Bool {
        section && reads.readsSection || !variables.isEmpty && reads.readsAnyVariable
            || !reads.variables.isDisjoint(with: variables)
    }

    /// Whether something that is read has changed, and elements are read too.
    func concernsElements(_ reads: RowReads) -> Bool {
        reads.readsElement && concerns(reads)
    }
}

extension Element {
    /// Whether a published element can stand for this one in every respect.
    func isSameAsShown(_ other: Element) -> Bool {
        identifier.utf8.elementsEqual(other.identifier.utf8) && adapter.values == other.adapter.values
            && adapter.showsSameRow(as: other.adapter) && value.bytes == other.value.bytes
    }
}
