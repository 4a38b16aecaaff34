extension ListComparison {
    /// Takes all elements whose identifier may occur more than once out of the runs, so that each of them can be paired
    /// with any of its like.
    ///
    /// The rest of a run can be paired only with itself. So of the longest common subsequences there is one that has
    /// all or nothing of it, and aligning the runs by their weight is as good as aligning all elements.
    /// - Complexity: O(*d* log *n*) for *d* duplicates in both lists, or O(*m*) for the *m* elements between what both
    ///   lists begin and end with where that is less.
    @inlinable
    mutating func cutRuns() {
        let elements = source.count + target.count - 2 * (match.prefix + match.suffix)
        if source.index.isEmpty || target.index.isEmpty {
            return loosenAll()
        }
        source.index.merge()
        target.index.merge()
        let repeats = source.index.repeats + target.index.repeats
        if repeats * Self.repeatCost >= elements {
            loosenAll()
        } else {
            cut(at: cuts())
        }
    }

    /// How many elements can be loosened in the time that it takes to find one that is repeated.
    @inlinable static var repeatCost: Int { 4 }

    /// The positions before, ascending, of the elements in runs that may be repeated on either side.
    @inlinable
    func cuts() -> [Int] {
        var result: Set<Int> = []
        var next = 0
        let before = source.positionsOfDuplicateHashes()
        for run in match.runs {
            while next < before.count, before[next] < run.source + run.count {
                if before[next] >= run.source {
                    result.insert(before[next])
                }
                next += 1
            }
        }
        next = 0
        let after = target.positionsOfDuplicateHashes()
        for run in isInOrder ? match.runs : match.runs.sorted(by: { $0.target < $1.target }) {
            while next < after.count, after[next] < run.target + run.count {
                if after[next] >= run.target {
                    result.insert(after[next] - run.target + run.source)
                }
                next += 1
            }
        }
        return result.sorted()
    }

    /// Makes the elements at some positions before, which are in runs, loose on both sides.
    @inlinable
    mutating func cut(at cuts: [Int]) {
        var pieces: [PairedRun] = []
        var next = 0
        for run in match.runs {
            var start = run.source
            let (end, shift) = (run.source + run.count, run.target - run.source)
            while next < cuts.count, cuts[next] < end {
                let cut = cuts[next]
                if cut > start {
                    pieces.append(PairedRun(source: start, target: start + shift, count: cut - start))
                }
                looseSource.append(LooseItem(position: cut))
                looseTarget.append(LooseItem(position: cut + shift))
                start = cut + 1
                next += 1
            }
            if end > start {
                pieces.append(PairedRun(source: start, target: start + shift, count: end - start))
            }
        }
        match.runs = pieces
        looseSource.sort { $0.position < $1.position }
        looseTarget.sort { $0.position < $1.position }
        let loosened = Set(cuts)
        changed.removeAll { loosened.contains($0.source) }
    }

    /// Makes all elements loose between what both lists begin and end with.
    @inlinable
    mutating func loosenAll() {
        let window = match.prefix..<(source.count - match.suffix)
        let others = match.prefix..<(target.count - match.suffix)
        changed = changed.compactMap { change in
            window.contains(change.source)
                ? nil : ChangedItem(source: change.source, target: LooseItem(position: change.target.position))
        }
        match.runs = []
        match.source = Self.leaves(of: source, window)
        match.target = Self.leaves(of: target, others)
        looseSource = Self.items(of: match.source, window)
        looseTarget = Self.items(of: match.target, others)
        isInOrder = true
    }

    /// The leaves of a list with the elements of a range of positions.
    @inlinable
    static func leaves(
        of list: PersistentList<Element>,
        _ window: Range<Int>
    ) -> ContiguousArray<UnmatchedNode<Place<Element>>> {
        var nodes = TreeMatch<Place<Element>>.level(list.places.root)
        while let first = nodes.first, first.node.height > 0 {
            nodes = nodes.children(nodes.indices)
            nodes.removeAll { !window.overlaps($0.start..<$0.start + $0.node.count) }
        }
        return nodes
    }

    @inlinable
    static func items(
        of leaves: ContiguousArray<UnmatchedNode<Place<Element>>>,
        _ window: Range<Int>
    ) -> [LooseItem] {
        var result: [LooseItem] = []
        result.reserveCapacity(window.count)
        for (index, leaf) in leaves.enumerated() {
            for position in (leaf.start..<leaf.start + leaf.node.count).clamped(to: window) {
                result.append(LooseItem(position: position, leaf: index, offset: position - leaf.start))
            }
        }
        return result
    }
}
