/// A run, or a loose element: what an alignment moves as a whole.
@usableFromInline
@frozen
struct Token {
    /// The loose element; of a run, the first element, which is not looked at.
    @usableFromInline let item: LooseItem

    /// How many elements it stands for.
    @usableFromInline let count: Int32
    @usableFromInline let isLoose: Bool

    @inlinable
    init(_ item: LooseItem) {
        self.item = item
        count = 1
        isLoose = true
    }

    @inlinable
    init(position: Int, count: Int) {
        item = LooseItem(position: position)
        self.count = Int32(truncatingIfNeeded: count)
        isLoose = false
    }
}

/// The rest of several lists to be aligned: the runs, each as one, and the loose elements, by numbers.
@usableFromInline
@frozen
struct ReducedProblem<Element: ListItem> {
    /// The lists that something may move in, one behind the other; both sections are the list's number.
    @usableFromInline var spans: [SectionSpan] = []
    @usableFromInline var source: [Token] = []
    @usableFromInline var target: [Token] = []

    /// For each token before, the first one that is equal to it.
    @usableFromInline var sourceNumbers: [Int32] = []

    /// For each token after, the first one before that is equal to it, or -1.
    @usableFromInline var targetNumbers: [Int32] = []

    /// Whether there are runs among the tokens.
    @usableFromInline var hasRuns = false

    @usableFromInline var table: IdentityTable<Element.DifferenceIdentifier>

    /// For each loose element before, its token.
    @usableFromInline var looseTokens: [Int32] = []

    /// For each list, the number of the first loose element before.
    @usableFromInline var firstLoose: [Int] = []

    /// For the runs of each list one behind the other, their tokens before.
    @usableFromInline var runTokens: [Int32] = []

    /// Numbers what is left of lists.
    @inlinable
    init(_ comparisons: ContiguousArray<ListComparison<Element>>) {
        table = IdentityTable(capacity: comparisons.reduce(0) { $0 + $1.looseSource.count })
        var firstRun: [Int] = []
        for comparison in comparisons {
            firstLoose.append(looseTokens.count)
            firstRun.append(runTokens.count)
            if !comparison.isSettled {
                addSource(comparison)
            }
        }
        var start = 0
        for (list, comparison) in comparisons.enumerated() where !comparison.isSettled {
            let before = target.count
            addTarget(comparison, list, firstRun[list])
            let end = start + Self.tokenCount(comparison)
            spans.append(
                SectionSpan(
                    sourceSection: list, targetSection: list, prefix: 0, source: start..<end,
                    target: before..<target.count))
            start = end
        }
    }

    /// The alignment of the tokens.
    @inlinable
    func alignment() -> Alignment {
        let weights = hasRuns ? source.map(\.count) : []
        return Alignment(source: sourceNumbers, target: targetNumbers, spans: spans, weights: weights)
    }

    /// Whether the runs of a list matter to what is loose: they do not where nothing can pass them.
    @inlinable
    static func needsRuns(_ comparison: ListComparison<Element>) -> Bool {
        !comparison.isInOrder || !comparison.looseSource.isEmpty && !comparison.looseTarget.isEmpty
    }

    @inlinable
    static func tokenCount(_ comparison: ListComparison<Element>) -> Int {
        comparison.looseSource.count + (needsRuns(comparison) ? comparison.match.runs.count : 0)
    }

    @inlinable
    mutating func addSource(_ comparison: ListComparison<Element>) {
        var next = 0
        if Self.needsRuns(comparison) {
            for run in comparison.match.runs {
                addLoose(comparison, &next, before: run.source)
                hasRuns = true
                let token = Int32(truncatingIfNeeded: source.count)
                runTokens.append(token)
                sourceNumbers.append(token)
                source.append(Token(position: run.source, count: run.count))
            }
        }
        addLoose(comparison, &next, before: .max)
    }

    @inlinable
    mutating func addLoose(_ comparison: ListComparison<Element>, _ next: inout Int, before end: Int) {
        while next < comparison.looseSource.count, comparison.looseSource[next].position < end {
            let item = comparison.looseSource[next]
            let element = comparison.sourceElement(item)
            table.add(element.differenceIdentifier, identityHash: element.identityHash)
            looseTokens.append(Int32(truncatingIfNeeded: source.count))
            sourceNumbers.append(looseTokens[Int(table.numbers[table.numbers.count - 1])])
            source.append(Token(item))
            next += 1
        }
    }

    @inlinable
    mutating func addTarget(_ comparison: ListComparison<Element>, _ list: Int, _ firstRun: Int) {
        var next = 0
        var expected = firstLoose[list]
        if Self.needsRuns(comparison) {
            let runs = comparison.match.runs
            var order = Array(runs.indices)
            if !comparison.isInOrder {
                order.sort { runs[$0].target < runs[$1].target }
            }
            for index in order {
                addLoose(comparison, &next, after: runs[index].target, &expected)
                targetNumbers.append(runTokens[firstRun + index])
                target.append(Token(position: runs[index].target, count: runs[index].count))
            }
        }
        addLoose(comparison, &next, after: .max, &expected)
    }

    @inlinable
    mutating func addLoose(
        _ comparison: ListComparison<Element>,
        _ next: inout Int,
        after end: Int,
        _ expected: inout Int
    ) {
        while next < comparison.looseTarget.count, comparison.looseTarget[next].position < end {
            let item = comparison.looseTarget[next]
            let element = comparison.targetElement(item)
            let number = table.number(
                of: element.differenceIdentifier, identityHash: element.identityHash, expected: &expected)
            targetNumbers.append(number < 0 ? -1 : looseTokens[Int(number)])
            target.append(Token(item))
            next += 1
        }
    }
}
