/// One stage on its way through a list that is long or only partly here: what the stage does is gathered and checked, and
/// then done place by place.
///
/// It refuses what `Replay` refuses, for the same operation and the same reason; only an identity that the list does not
/// know is taken for the right one.
@usableFromInline
@frozen
struct StageReplay<Section: DifferentiableSection, Edit: StageEdit> where Edit.Element == Section.Element {
    @usableFromInline typealias Elements = Edit.Content

    @usableFromInline let changeset: Changeset<Section>
    @usableFromInline let stage: Int?
    @usableFromInline let firstSection: Int
    @usableFromInline var sections: SectionPlacement

    /// The elements of a section, by its position before the stage.
    @usableFromInline let content: (Int) -> Elements

    /// For each section that elements change in, by its position before the stage, its place in `edits`.
    @usableFromInline var editIndexes: [Int: Int] = [:]
    @usableFromInline var edits: [(section: Int, edit: Edit)] = []

    @inlinable
    init(
        _ changeset: Changeset<Section>,
        stage: Int?,
        count: Int,
        firstSection: Int = 0,
        content: @escaping (Int) -> Elements
    ) {
        self.changeset = changeset
        self.stage = stage
        self.firstSection = firstSection
        self.content = content
        sections = SectionPlacement(count: count)
    }

    @inlinable
    func misfit(_ operation: ChangesetOperation, _ index: Int, _ reason: ChangesetError.Reason) -> ChangesetError {
        ChangesetError(stage: stage, operation: operation, index: index, reason: reason)
    }

    /// Gathers and checks what happens to elements, once sections have their places.
    ///
    /// - Returns: The sections whose elements change, by their positions before the stage, with their elements after it.
    @inlinable
    mutating func changedContents() throws(ChangesetError) -> [(section: Int, elements: Elements)] {
        sections.settle()
        try updateElements()
        try removeElements()
        try addElements()
        var places: [(place: Int, edit: Int)] = []
        for (index, edit) in edits.enumerated() {
            places.append((sections.place(of: edit.section), index))
        }
        var result: [(section: Int, elements: Elements)] = []
        for (_, index) in places.sorted(by: { $0.place < $1.place }) {
            do {
                result.append((edits[index].section, try edits[index].edit.finish()))
            } catch {
                throw misfit(error.operation, error.index, error.reason)
            }
        }
        return result
    }
}

// MARK: - Sections

extension StageReplay {
    /// Gathers and checks what happens to sections.
    ///
    /// - Parameter identifier: The identity of a section, by its position before the stage.
    @inlinable
    mutating func placeSections(_ identifier: (Int) -> Section.DifferenceIdentifier) throws(ChangesetError) {
        for (index, at) in changeset.sectionDeleted.enumerated() {
            try take(at, .sectionDeleted, index)
            sections.deleted.insert(at)
            sections.leaving.append(at)
        }
        for (index, move) in changeset.sectionMoved.enumerated() {
            try take(move.from, .sectionMoved, index)
            sections.leaving.append(move.from)
        }
        for (index, change) in changeset.sectionUpdated.enumerated() {
            try take(change.at, .sectionUpdated, index)
            guard change.section.differenceIdentifier == identifier(change.at) else {
                throw misfit(.sectionUpdated, index, .differentIdentifier)
            }
        }
        sections.countAfter += changeset.sectionInserted.count - changeset.sectionDeleted.count
        for (index, change) in changeset.sectionInserted.enumerated() {
            if let reason = sections.place(.inserted(index), at: change.at) {
                throw misfit(.sectionInserted, index, reason)
            }
        }
        for (index, move) in changeset.sectionMoved.enumerated() {
            if let reason = sections.place(.kept(move.from), at: move.to) {
                throw misfit(.sectionMoved, index, reason)
            }
        }
    }

    @inlinable
    mutating func take(_ section: Int, _ operation: ChangesetOperation, _ index: Int) throws(ChangesetError) {
        if let reason = sections.take(section) {
            throw misfit(operation, index, reason)
        }
    }
}

extension StageReplay where Section: PersistentSection, Edit == PersistentEdit<Section.Element> {
    /// Replays the stage on a copy of a list.
    ///
    /// - Complexity: O(*k* log *n*) for *k* operations.
    @inlinable
    static func run(
        _ changeset: Changeset<Section>,
        stage: Int?,
        on list: PersistentList<Section>
    ) throws(ChangesetError) -> PersistentList<Section> {
        var replay = Self(changeset, stage: stage, count: list.count) { list[$0].content }
        try replay.placeSections { list[$0].differenceIdentifier }
        let contents = try replay.changedContents()
        return replay.assemble(list, contents)
    }

    /// Makes the list after the stage of what has been gathered; everything has been checked.
    @inlinable
    func assemble(
        _ list: PersistentList<Section>,
        _ contents: [(section: Int, elements: Elements)]
    ) -> PersistentList<Section> {
        var result = list
        for change in changeset.sectionUpdated {
            let section = Section(copying: change.section, content: list[change.at].content)
            result.replace(at: change.at, with: section)
        }
        for (section, elements) in contents {
            result.replace(at: section, with: Section(copying: result[section], content: elements))
        }
        var arriving: [Section] = []
        for place in sections.places {
            switch sections.origin(of: place) {
            case .inserted(let index): arriving.append(changeset.sectionInserted[index].section)
            case .kept(let section): arriving.append(result[section])
            }
        }
        if !sections.leaving.isEmpty {
            result.remove(at: sections.leaving)
        }
        for (place, section) in zip(sections.places, arriving) {
            result.insert(section, at: place)
        }
        return result
    }
}
