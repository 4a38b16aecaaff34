extension ListComparison {
    /// Compares the elements of the leaves that are in one list alone, gap by gap.
    @inlinable
    @inline(__always)
    mutating func compareLeaves(_ differs: (Element, Int, Element) -> Bool) {
        var found: [PairedRun] = []
        var (before, after) = (0, 0)
        for gap in match.gaps {
            compareGap(before..<gap.sourceEnd, after..<gap.targetEnd, differs, &found)
            (before, after) = (gap.sourceEnd, gap.targetEnd)
        }
        match.runs.merge(found)
    }

    /// Compares the elements of some leaves: what these begin and end with on both sides, then what lies between.
    @inlinable
    @inline(__always)
    mutating func compareGap(
        _ before: Range<Int>,
        _ after: Range<Int>,
        _ differs: (Element, Int, Element) -> Bool,
        _ found: inout [PairedRun]
    ) {
        if before.isEmpty && after.isEmpty {
            return
        }
        var old = LeafWindow(match.source, before)
        var new = LeafWindow(match.target, after)
        pairPrefix(&old, &new, differs, &found)
        var tail: [PairedRun] = []
        var tailChanges: [ChangedItem] = []
        pairSuffix(&old, &new, differs, &tail, &tailChanges)
        pairMiddle(old.looseItems(match.source), new.looseItems(match.target), differs, &found)
        for run in tail.reversed() {
            found.extend(by: run)
        }
        changed.append(contentsOf: tailChanges.reversed())
    }

    /// Notes paired elements; they extend the common beginning if they follow it.
    @inlinable
    mutating func add(_ run: PairedRun, to found: inout [PairedRun]) {
        if run.source == match.prefix && run.target == match.prefix {
            match.prefix += run.count
        } else {
            found.extend(by: run)
        }
    }

    /// Pairs what the leaves begin with on both sides, leaf by leaf.
    @inlinable
    @inline(__always)
    mutating func pairPrefix(
        _ old: inout LeafWindow,
        _ new: inout LeafWindow,
        _ differs: (Element, Int, Element) -> Bool,
        _ found: inout [PairedRun]
    ) {
        while old.count > 0 && new.count > 0 {
            let pair = LeafPair(match.source[old.leaf], match.target[new.leaf])
            let fill = (pair.items.count, pair.others.count)
            let limit = min(fill.0 - old.offset, fill.1 - new.offset, old.count, new.count)
            let starts = (pair.start, match.target[new.leaf].start)
            var length = 0
            var end = LeafPair<Element>.End.changed
            while end == .changed {
                let (place, other) = (old.offset + length, new.offset + length)
                let unchanged = pair.unchanged(from: place, other, step: 1, limit: limit - length, differs: differs)
                length += unchanged.count
                end = unchanged.end
                if end == .changed {
                    let place = new.offset + length
                    let item = LooseItem(position: starts.1 + place, leaf: new.leaf, offset: place)
                    changed.append(ChangedItem(source: starts.0 + old.offset + length, target: item))
                    length += 1
                }
            }
            if length > 0 {
                let run = PairedRun(source: starts.0 + old.offset, target: starts.1 + new.offset, count: length)
                add(run, to: &found)
            }
            old.removeFirst(length, of: fill.0)
            new.removeFirst(length, of: fill.1)
            if length < limit {
                return
            }
        }
    }

    /// Pairs what the leaves end with on both sides, leaf by leaf, from the last.
    @inlinable
    @inline(__always)
    mutating func pairSuffix(
        _ old: inout LeafWindow,
        _ new: inout LeafWindow,
        _ differs: (Element, Int, Element) -> Bool,
        _ found: inout [PairedRun],
        _ changed: inout [ChangedItem]
    ) {
        while old.count > 0 && new.count > 0 {
            let pair = LeafPair(match.source[old.lastLeaf - 1], match.target[new.lastLeaf - 1])
            let fill = (pair.items.count, pair.others.count)
            let last = (fill.0 - old.taken - 1, fill.1 - new.taken - 1)
            let limit = min(last.0 + 1, last.1 + 1, old.count, new.count)
            let starts = (pair.start, match.target[new.lastLeaf - 1].start)
            var length = 0
            var end = LeafPair<Element>.End.changed
            while end == .changed {
                let (place, other) = (last.0 - length, last.1 - length)
                let unchanged = pair.unchanged(from: place, other, step: -1, limit: limit - length, differs: differs)
                length += unchanged.count
                end = unchanged.end
                if end == .changed {
                    let place = last.1 - length
                    let item = LooseItem(position: starts.1 + place, leaf: new.lastLeaf - 1, offset: place)
                    changed.append(ChangedItem(source: starts.0 + last.0 - length, target: item))
                    length += 1
                }
            }
            if length > 0 {
                let first = (starts.0 + last.0 - length + 1, starts.1 + last.1 - length + 1)
                addSuffix(PairedRun(source: first.0, target: first.1, count: length), to: &found)
            }
            old.removeLast(length, of: fill.0)
            new.removeLast(length, of: fill.1)
            if length < limit {
                return
            }
        }
    }

    /// Notes paired elements; they extend the common end if they precede it.
    @inlinable
    mutating func addSuffix(_ run: PairedRun, to found: inout [PairedRun]) {
        let ends = (source.count - match.suffix, target.count - match.suffix)
        if run.source + run.count == ends.0 && run.target + run.count == ends.1 {
            match.suffix += run.count
        } else {
            found.append(run)
        }
    }
}

// MARK: - The middle

extension ListComparison {
    /// Walks what is left of the leaves in step, and pairs what is equal; what is not goes to the loose elements.
    ///
    /// At a difference the walk goes on from the nearest equal elements; it ends if none are near.
    @inlinable
    mutating func pairMiddle(
        _ old: [LooseItem],
        _ new: [LooseItem],
        _ differs: (Element, Int, Element) -> Bool,
        _ found: inout [PairedRun]
    ) {
        var (before, after, misses) = (0, 0, 0)
        while before < old.count, after < new.count, misses < Self.patience {
            let (skipped, others) = nextEqual(old[before...], new[after...])
            looseSource.append(contentsOf: old[before..<before + skipped])
            looseTarget.append(contentsOf: new[after..<after + others])
            before += skipped
            after += others
            misses += 1
            while before < old.count, after < new.count, areEqual(old[before], new[after]) {
                let (item, other) = (old[before], new[after])
                if differs(sourceElement(item), item.position, targetElement(other)) {
                    changed.append(ChangedItem(source: item.position, target: other))
                }
                add(PairedRun(source: item.position, target: other.position, count: 1), to: &found)
                before += 1
                after += 1
                misses = 0
            }
        }
        looseSource.append(contentsOf: old[before...])
        looseTarget.append(contentsOf: new[after...])
    }

    @inlinable
    func areEqual(_ before: LooseItem, _ after: LooseItem) -> Bool {
        sourceElement(before).differenceIdentifier == targetElement(after).differenceIdentifier
    }

    /// How many elements of either side to skip for the nearest ones that are equal; one of both if there are none near.
    @inlinable
    func nextEqual(_ old: ArraySlice<LooseItem>, _ new: ArraySlice<LooseItem>) -> (Int, Int) {
        for distance in 0...Self.reach {
            for skipped in 0...distance where skipped < old.count && distance - skipped < new.count {
                if areEqual(old[old.startIndex + skipped], new[new.startIndex + distance - skipped]) {
                    return (skipped, distance - skipped)
                }
            }
        }
        return (1, 1)
    }

    /// How many elements of both sides together the walk looks ahead.
    @inlinable static var reach: Int { 4 }

    /// How often in a row the walk may find nothing near before it ends.
    @inlinable static var patience: Int { 8 }
}
