/// An element's place in one of several lists that are compared together.
@usableFromInline
@frozen
struct ListedPosition {
    /// The list, by its number among the comparisons.
    @usableFromInline let list: Int
    @usableFromInline let position: Int

    @inlinable
    init(list: Int, position: Int) {
        self.list = list
        self.position = position
    }
}

/// An element that was found in one of several lists that are compared together.
@usableFromInline
@frozen
struct ListedItem {
    /// The list, by its number among the comparisons.
    @usableFromInline let list: Int
    @usableFromInline let item: LooseItem

    @inlinable
    init(list: Int, item: LooseItem) {
        self.list = list
        self.item = item
    }
}

/// The changes of the elements of several lists, each before and after. Elements outside of the shared parts are paired
/// within their list first, then across lists, with as few moves as possible.
@usableFromInline
@frozen
struct Reduction<Element: ListItem> {
    /// The lists, in the order of the target.
    @usableFromInline var comparisons: ContiguousArray<ListComparison<Element>>

    /// The elements that go, by their positions before; ascending in each list.
    @usableFromInline var deleted: [ListedPosition] = []

    /// The elements that come; ascending.
    @usableFromInline var inserted: [ListedItem] = []

    /// The elements that move: from the position before, less what is deleted in front of it, to the one after; ascending.
    @usableFromInline var moved: [(from: ListedPosition, to: ListedPosition)] = []

    /// The pairs that differ in content and were not in a run from the beginning.
    @usableFromInline var changed: [(source: ListedPosition, target: ListedItem)] = []

    /// Pairs what is loose.
    ///
    /// - Parameter differs: Tells whether an element differs from an earlier one with an equal identifier, which stood at a
    ///   position of the source.
    /// - Complexity: O(*k* log *k*) for *k* runs and loose elements; where something moves in a list with duplicates, *k*
    ///   includes the elements that are duplicates.
    @inlinable
    init(
        _ comparisons: consuming ContiguousArray<ListComparison<Element>>,
        differs: (_ old: Element, _ position: ListedPosition, _ new: Element) -> Bool
    ) {
        self.comparisons = comparisons
        if needsAlignment {
            align(differs)
        } else {
            settle()
        }
    }

    /// Whether elements can move: if nothing has changed its order and elements only come, or only go, none does.
    @inlinable var needsAlignment: Bool {
        var (comes, goes) = (false, false)
        for list in comparisons.indices {
            comes = comes || !comparisons[list].looseTarget.isEmpty
            goes = goes || !comparisons[list].looseSource.isEmpty
            if !comparisons[list].isInOrder || comes && goes {
                return true
            }
        }
        return false
    }

    @inlinable
    mutating func settle() {
        for list in comparisons.indices {
            for index in comparisons[list].looseSource.indices {
                deleted.append(ListedPosition(list: list, position: comparisons[list].looseSource[index].position))
            }
            for index in comparisons[list].looseTarget.indices {
                inserted.append(ListedItem(list: list, item: comparisons[list].looseTarget[index]))
            }
        }
    }

    @inlinable
    mutating func align(_ differs: (Element, ListedPosition, Element) -> Bool) {
        var problem = ReducedProblem(comparisons)
        var alignment = problem.alignment()
        let torn = problem.spans.filter { isTorn($0, problem, alignment) }
        if !torn.isEmpty {
            for span in torn {
                comparisons[span.sourceSection].cutRuns()
            }
            problem = ReducedProblem(comparisons)
            alignment = problem.alignment()
        }
        read(problem, alignment, differs)
    }

    /// Whether something moves in a list where other pairs of equal elements might leave fewer moves.
    @inlinable
    func isTorn(_ span: SectionSpan, _ problem: ReducedProblem<Element>, _ alignment: Alignment) -> Bool {
        let comparison = comparisons[span.sourceSection]
        if comparison.match.runs.isEmpty {
            return false
        }
        var (moves, isPermutation) = (0, span.source.count == span.target.count)
        var moved = 0
        for position in span.source {
            let partner = Int(alignment.targets[position])
            if !span.target.contains(partner) {
                isPermutation = false
            } else if !alignment.isStaying[position] {
                moves += Int(problem.source[position].count)
                moved = position
            }
        }
        guard moves > 0, comparison.source.hasDuplicateHashes || comparison.target.hasDuplicateHashes else {
            return false
        }
        guard moves == 1, isPermutation else {
            return true
        }
        // If all that is there only changes its order, one move at least is needed, but for one past its like.
        let from = problem.source[moved].item.position
        let to = problem.target[Int(alignment.targets[moved])].item.position
        return passesOnlyItsLike(comparison.source, from: from, to: to)
    }

    /// Whether an element and all that it moves past have equal identifiers.
    ///
    /// - Complexity: O(*d* log *n*) for *d* elements beside it that do.
    @inlinable
    func passesOnlyItsLike(_ list: PersistentList<Element>, from position: Int, to other: Int) -> Bool {
        let identifier = list[position].differenceIdentifier
        let step = other > position ? 1 : -1
        return stride(from: position + step, through: other, by: step).allSatisfy {
            list[$0].differenceIdentifier == identifier
        }
    }

    /// Reads what happens to each element out of an alignment.
    @inlinable
    mutating func read(
        _ problem: ReducedProblem<Element>,
        _ alignment: Alignment,
        _ differs: (Element, ListedPosition, Element) -> Bool
    ) {
        for span in problem.spans {
            let list = span.sourceSection
            var gone = 0
            for position in span.source {
                let token = problem.source[position]
                let partner = Int(alignment.targets[position])
                if partner < 0 {
                    deleted.append(ListedPosition(list: list, position: token.item.position))
                    gone += 1
                    continue
                }
                let other = span.target.contains(partner) ? list : problem.spans.holding(target: partner).targetSection
                compare(token, list, problem.target[partner], other, differs)
                if !alignment.isStaying[position] {
                    move(token, list, problem.target[partner], other, gone)
                }
            }
            for position in span.target where alignment.sources[position] < 0 {
                inserted.append(ListedItem(list: list, item: problem.target[position].item))
            }
        }
    }

    @inlinable
    mutating func move(_ token: Token, _ list: Int, _ partner: Token, _ other: Int, _ gone: Int) {
        for index in 0..<Int(token.count) {
            moved.append(
                (
                    ListedPosition(list: list, position: token.item.position + index - gone),
                    ListedPosition(list: other, position: partner.item.position + index)
                ))
        }
    }

    /// Compares the contents of a pair; those of runs have been compared or are the same.
    @inlinable
    mutating func compare(
        _ token: Token,
        _ list: Int,
        _ partner: Token,
        _ other: Int,
        _ differs: (Element, ListedPosition, Element) -> Bool
    ) {
        guard token.isLoose else {
            return
        }
        let old = comparisons[list].sourceElement(token.item)
        let place = ListedPosition(list: list, position: token.item.position)
        if differs(old, place, comparisons[other].targetElement(partner.item)) {
            changed.append((place, ListedItem(list: other, item: partner.item)))
        }
    }
}
