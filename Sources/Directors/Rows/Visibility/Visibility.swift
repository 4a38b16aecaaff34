import HashTreeCollections
import JSONValues
import ListDiff
import Notation

/// The visible part of a director with rows: its sections as the last reload has evaluated them.
///
/// A reload updates it from the last evaluated sections to the working state, and evaluates only rows and elements that
/// operations have touched, and rows that read a changed variable.
struct Visibility: Sendable {
    /// The sections that were evaluated: the working state's at that moment.
    private var content: PersistentList<Section>

    /// As many sections, evaluated.
    private var sections: PersistentList<EvaluatedSection>

    /// The visible sections, in the subscribers' form.
    private(set) var shown: PersistentList<Section>

    private var readers = VariableReaders()

    /// How many expressions have been evaluated since the director was made or restored.
    private(set) var evaluations = 0

    /// How many steps all those evaluations have taken.
    private(set) var stepsTaken = 0

    /// The steps that evaluating all rows takes; at least so many where elements have changed since that was done.
    var steps: Int { sections.measure.steps }

    /// Begins with sections of elements.
    ///
    /// - Parameter content: The sections to show: of elements, or as a restart has found them published.
    /// - Complexity: O(*s*) in the number of sections.
    init(showing content: PersistentList<Section>) {
        self.content = content
        sections = PersistentList(content.lazy.map { EvaluatedSection($0) })
        shown = content
    }

    /// Whether an expression reads a variable, or may read any.
    func isRead(_ variable: Name) -> Bool {
        readers.isRead(variable)
    }

    /// Evaluates what can have changed.
    ///
    /// - Parameters:
    ///   - target: The sections of the working state.
    ///   - variables: Its variables.
    ///   - changed: The names of those that have been set or removed since the last time.
    ///   - stepLimit: How many steps all expressions may take together; see ``DirectorLimits/evaluationSteps``.
    ///   - turn: How many steps fit into a turn on the loop.
    /// - Complexity: O(*k* log *n*) for *k* rows and elements that have been touched, out of *n*; for each row that reads a
    ///   variable that has changed what its expressions cost: all its elements where they read them, or where what they
    ///   give for the row as a whole has changed.
    /// - Throws: The first row that cannot be published, with its pointer from the director; nothing has changed then.
    mutating func update(
        to target: PersistentList<Section>, variables: TreeDictionary<Name, JSONValue>, changed: Set<Name>,
        stepLimit: Int, turn: Int
    ) throws(DirectorError) {
        var evaluation = RowEvaluation(variables: variables, stepLimit: stepLimit, turn: turn)
        var next = self
        var fresh: [Int: Set<RowIdentity>] = [:]
        do {
            try next.evaluateTouched(target, changed, &fresh, &evaluation)
            try next.evaluateReaders(of: changed, fresh, &evaluation)
        } catch {
            throw error.error
        }
        next.evaluations += evaluation.count
        next.stepsTaken += evaluation.steps
        self = next
    }

    /// Evaluates what operations have touched.
    ///
    /// - Parameter fresh: Takes the rows that were evaluated as a whole, by the positions of their sections.
    private mutating func evaluateTouched(
        _ target: PersistentList<Section>, _ changed: Set<Name>, _ fresh: inout [Int: Set<RowIdentity>],
        _ evaluation: inout RowEvaluation
    ) throws(RowFailure) {
        let ranges = target.changedRanges(since: content) { !$1.isInterchangeable(with: $0) }
        if ranges.count == 1, ranges[0].old.count == 1, ranges[0].new.count == 1 {
            // Most often one section has changed, where it stands.
            let (section, old) = (target[ranges[0].new.lowerBound], sections[ranges[0].old.lowerBound])
            if section.rows != nil, section.differenceIdentifier == old.differenceIdentifier {
                let position = ranges[0].new.lowerBound
                let earlier = old.rows == nil ? nil : old
                put(
                    [try evaluate(section, at: position, since: earlier, changed, &fresh, &evaluation)],
                    in: ranges[0].old)
                content = target
                return
            }
        }
        var earlier: [SectionIdentity: [EvaluatedSection]] = [:]
        for range in ranges {
            for section in sections[range.old] where section.rows != nil {
                earlier[section.differenceIdentifier, default: []].append(section)
            }
        }
        for identity in earlier.keys { earlier[identity]?.reverse() }
        var replacements: [[EvaluatedSection]] = []
        for range in ranges {
            var replacement: [EvaluatedSection] = []
            for (position, section) in zip(range.new, target[range.new]) {
                guard section.rows != nil else {
                    replacement.append(EvaluatedSection(section))
                    continue
                }
                let old = earlier[section.differenceIdentifier]?.popLast()
                replacement.append(try evaluate(section, at: position, since: old, changed, &fresh, &evaluation))
            }
            replacements.append(replacement)
        }
        for section in earlier.values.joined() { noteReads(of: nil, since: section.source) }
        for (range, replacement) in zip(ranges, replacements).reversed() { put(replacement, in: range.old) }
        content = target
    }

    /// Evaluates what differs in a section of rows from an earlier state of it, which nobody else comes from.
    private mutating func evaluate(
        _ section: Section, at position: Int, since old: EvaluatedSection?, _ changed: Set<Name>,
        _ fresh: inout [Int: Set<RowIdentity>], _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> EvaluatedSection {
        var update = SectionUpdate(section, earlier: old, variables: changed)
        do {
            try update.run(&evaluation)
        } catch {
            throw error.inside("/sections/\(position)", section.identifier)
        }
        if !update.evaluated.isEmpty { fresh[position] = update.evaluated }
        if update.changesRows { noteReads(of: section, since: old?.source) }
        return update.result
    }

    private mutating func evaluateReaders(
        of changed: Set<Name>, _ fresh: [Int: Set<RowIdentity>], _ evaluation: inout RowEvaluation
    ) throws(RowFailure) {
        var readers: [(position: Int, rows: Set<RowIdentity>)] = []
        for (identity, rows) in self.readers.rows(reading: changed) {
            for position in sections.positions(
                hash: identity.identityHash, where: { $0.differenceIdentifier == identity })
            where sections[position].rows != nil {
                // Of namesakes, each may have been touched or not, and has some of the rows only.
                let own = sections[position].rows(among: rows).subtracting(fresh[position] ?? [])
                if !own.isEmpty { readers.append((position, own)) }
            }
        }
        for (position, rows) in readers.sorted(by: { $0.position < $1.position }) {
            let old = sections[position]
            var update = SectionUpdate(old.source, earlier: old, variables: changed)
            do {
                try update.evaluateAgain(rows, &evaluation)
            } catch {
                throw error.inside("/sections/\(position)", old.source.identifier)
            }
            put([update.result], in: position..<(position + 1))
        }
    }

    /// Puts evaluated sections in the place of others.
    private mutating func put(_ replacement: [EvaluatedSection], in range: Range<Int>) {
        let start = sections.measure(before: range.lowerBound).items
        if range.count == 1, replacement.count == 1, replacement[0].isShown, sections[range.lowerBound].isShown {
            shown.replace(at: start, with: replacement[0].published)
            sections.replace(at: range.lowerBound, with: replacement[0])
            return
        }
        let end = sections.measure(before: range.upperBound).items
        shown.replaceSubrange(start..<end, with: replacement.lazy.filter(\.isShown).map(\.published))
        sections.replaceSubrange(range, with: replacement)
    }

    /// Notes which rows read variables now, and which do no longer.
    private mutating func noteReads(of section: Section?, since old: Section?) {
        let (target, source) = (section?.rows ?? [], old?.rows ?? [])
        for range in target.changedRanges(since: source, differs: { $0.settings !== $1.settings }) {
            if let old { for row in source[range.old] { readers.remove(row, of: old.differenceIdentifier) } }
            if let section { for row in target[range.new] { readers.add(row, of: section.differenceIdentifier) } }
        }
    }
}
