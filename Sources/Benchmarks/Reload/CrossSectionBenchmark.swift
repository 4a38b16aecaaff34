import Directors
import ListDiff

/// Moves a thousand elements to other sections: as many moves have to be found, and no more.
enum CrossSectionBenchmark {
    private static let shape = ListShape(sections: 100, elements: 1_000)
    private static let moves = 1_000

    /// Runs it and prints the result lines; ends the program where there is a move too many.
    static func run() throws {
        var subject = try ReloadSubject(shape)
        var (ours, batch): ([Duration], [Duration]) = ([], [])
        var budget = RoundBudget(least: 5, most: 100, time: .seconds(4))
        while budget.next() {
            let source = try sections(subject)
            try subject.director.perform(subject.crossSectionMoves(moves))
            let begin = ContinuousClock.now
            let change = try subject.director.reload()
            let middle = ContinuousClock.now
            ours.append(middle - begin)
            let target = try sections(subject)
            let start = ContinuousClock.now
            let reference = StagedChangeset(from: source, to: target)
            batch.append(ContinuousClock.now - start)
            try verify(change?.changeset.stages ?? [], source, target)
            guard reference.operationCount == moves else {
                refute("the batch algorithm finds \(reference.operationCount) operations for \(moves) moves")
            }
        }
        BenchmarkResult.times(
            "reload of \(moves.grouped) cross-section moves in \(shape.name)", ours: median(ours),
            yardstick: "batch algorithm", median(batch), target: .none
        ).report()
    }

    /// Checks that the changeset has these moves and nothing else, and leads where it has to.
    private static func verify(
        _ stages: [Changeset<Section>], _ source: [PlainSection], _ target: [PlainSection]
    ) throws {
        let tally = ChangeStep.Tally(stages)
        guard tally == ChangeStep.Tally(moved: moves) else {
            refute("\(moves) elements changed sections in \(shape.name); the changeset has \(tally)")
        }
        let plain = stages.map { Changeset<PlainSection>(elementMoved: $0.elementMoved) }
        guard try source.applying(StagedChangeset(stages: plain)) == target else {
            refute("the changeset of \(moves) cross-section moves does not lead to what was published")
        }
    }

    private static func sections(_ subject: ReloadSubject) throws -> [PlainSection] {
        try subject.order.indices.map { position in
            let section = try subject.director.published.list.section(at: .position(position)).section
            return PlainSection(identifier: section.identifier, elements: Array(section.elements))
        }
    }
}

/// A section whose elements are an array, for the batch algorithm.
private struct PlainSection: DifferentiableSection, Equatable {
    let identifier: String
    let elements: [Element]

    init(identifier: String, elements: [Element]) {
        self.identifier = identifier
        self.elements = elements
    }

    init(copying section: PlainSection, elements: [Element]) {
        self.init(identifier: section.identifier, elements: elements)
    }

    var differenceIdentifier: String { identifier }

    func isContentEqual(to source: PlainSection) -> Bool { true }
}

extension ReloadSubject {
    /// Moves of different elements, equally many from each section, each to a place in another one.
    fileprivate mutating func crossSectionMoves(_ count: Int) -> [Directors.Operation] {
        // Chosen before any of them moves, so that none is chosen twice.
        var chosen: [(section: Int, member: Int32)] = []
        for section in members.indices {
            members[section].shuffle(using: &random)
            chosen += members[section].suffix(count / shape.sections).map { (section, $0) }
            members[section].removeLast(count / shape.sections)
        }
        return chosen.map { section, member in
            let other = (section + Int.random(in: 1..<shape.sections, using: &random)) % shape.sections
            // Below what the section has at any time.
            let place = Int.random(in: 0..<(members[other].count / 2), using: &random)
            members[other].append(member)
            return .elements(
                of: .section(.identifier("s\(order[section])")),
                .move(
                    from: .identifier(SampleValue.identifier(Int(member))), to: .position(place),
                    into: ElementDestination(section: .identifier("s\(order[other])"))))
        }
    }
}
