/// One stage on its way through a copy of a list: sections first, then what happens inside those that stay.
@usableFromInline
@frozen
struct Replay<Section: DifferentiableSection> {
    /// The origin of the section at a place after the stage.
    @usableFromInline
    @frozen
    enum Origin {
        case vacant
        case kept(Int)
        case inserted(Int)
    }

    @usableFromInline let list: [Section]
    @usableFromInline let changeset: Changeset<Section>
    @usableFromInline let stage: Int?
    @usableFromInline let firstSection: Int

    /// For each section after the stage, where it comes from.
    @usableFromInline var origins: [Origin] = []
    /// For each section before the stage, whether the stage deletes it.
    @usableFromInline var isDeleted: [Bool] = []
    /// For each section before the stage, the update of its content, or -1.
    @usableFromInline var updates: [Int] = []
    /// For each section before the stage, its place in `edits`, or -1.
    @usableFromInline var editIndexes: [Int] = []
    @usableFromInline var edits: [SectionEdit<Section.Element>] = []

    @inlinable
    init(list: [Section], changeset: Changeset<Section>, stage: Int?, firstSection: Int = 0) {
        self.list = list
        self.changeset = changeset
        self.stage = stage
        self.firstSection = firstSection
    }

    @inlinable
    mutating func run() throws(ChangesetError) -> [Section] {
        try planSections()
        try updateElements()
        try removeElements()
        try addElements()
        return try assemble()
    }

    @inlinable
    func misfit(_ operation: ChangesetOperation, _ index: Int, _ reason: ChangesetError.Reason) -> ChangesetError {
        ChangesetError(stage: stage, operation: operation, index: index, reason: reason)
    }
}

// MARK: - Sections

extension Replay {
    @inlinable
    mutating func planSections() throws(ChangesetError) {
        isDeleted = Array(repeating: false, count: list.count)
        updates = Array(repeating: -1, count: list.count)
        editIndexes = Array(repeating: -1, count: list.count)
        var isSource = Array(repeating: false, count: list.count)
        var isLeaving = isSource
        for (index, at) in changeset.sectionDeleted.enumerated() {
            try takeSection(at, .sectionDeleted, index, &isSource)
            isDeleted[at] = true
            isLeaving[at] = true
        }
        for (index, move) in changeset.sectionMoved.enumerated() {
            try takeSection(move.from, .sectionMoved, index, &isSource)
            isLeaving[move.from] = true
        }
        for (index, change) in changeset.sectionUpdated.enumerated() {
            try takeSection(change.at, .sectionUpdated, index, &isSource)
            guard change.section.differenceIdentifier == list[change.at].differenceIdentifier else {
                throw misfit(.sectionUpdated, index, .differentIdentifier)
            }
            updates[change.at] = index
        }
        try placeSections(isLeaving)
    }

    @inlinable
    func takeSection(
        _ at: Int,
        _ operation: ChangesetOperation,
        _ index: Int,
        _ isSource: inout [Bool]
    ) throws(ChangesetError) {
        guard list.indices.contains(at) else {
            throw misfit(operation, index, .outOfRange(count: list.count))
        }
        guard !isSource[at] else {
            throw misfit(operation, index, .sourceTaken)
        }
        isSource[at] = true
    }

    /// Settles where each section stands after the stage: what arrives at its place, what stays in the gaps between.
    @inlinable
    mutating func placeSections(_ isLeaving: [Bool]) throws(ChangesetError) {
        let count = list.count - changeset.sectionDeleted.count + changeset.sectionInserted.count
        origins = Array(repeating: .vacant, count: count)
        for (index, change) in changeset.sectionInserted.enumerated() {
            try place(.inserted(index), at: change.at, .sectionInserted, index)
        }
        for (index, move) in changeset.sectionMoved.enumerated() {
            try place(.kept(move.from), at: move.to, .sectionMoved, index)
        }
        var staying = list.indices.lazy.filter { !isLeaving[$0] }.makeIterator()
        for place in origins.indices {
            if case .vacant = origins[place], let section = staying.next() {
                origins[place] = .kept(section)
            }
        }
    }

    @inlinable
    mutating func place(
        _ origin: Origin,
        at place: Int,
        _ operation: ChangesetOperation,
        _ index: Int
    ) throws(ChangesetError) {
        guard origins.indices.contains(place) else {
            throw misfit(operation, index, .outOfRange(count: origins.count))
        }
        guard case .vacant = origins[place] else {
            throw misfit(operation, index, .targetTaken)
        }
        origins[place] = origin
    }

    /// Builds the list after the stage from what has been gathered.
    @inlinable
    func assemble() throws(ChangesetError) -> [Section] {
        var result: [Section] = []
        result.reserveCapacity(origins.count)
        for origin in origins {
            switch origin {
            case .inserted(let index):
                result.append(changeset.sectionInserted[index].section)
            case .kept(let section):
                let edited = editIndexes[section] >= 0
                let content = updates[section] >= 0 ? changeset.sectionUpdated[updates[section]].section : list[section]
                if edited || updates[section] >= 0 {
                    let elements = edited ? try finish(edits[editIndexes[section]]) : list[section].elements
                    result.append(Section(copying: content, elements: elements))
                } else {
                    result.append(list[section])
                }
            case .vacant:
                // Sections that stay are as many as the places that nothing arrives at.
                preconditionFailure("a section's place was left vacant")
            }
        }
        return result
    }

    @inlinable
    func finish(_ edit: SectionEdit<Section.Element>) throws(ChangesetError) -> [Section.Element] {
        do {
            return try edit.finish()
        } catch {
            throw misfit(error.operation, error.index, error.reason)
        }
    }
}
