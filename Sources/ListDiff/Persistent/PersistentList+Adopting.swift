extension PersistentList {
    /// A list of some elements that shares as much with this list as can be shared.
    ///
    /// A list that comes in whole and mostly equals this list becomes this list with a few changes. Its elements that
    /// are the same as elements of this list are replaced by these; where such elements keep their order, the two lists
    /// share memory. If all are the same, in the same order, the result is this list itself.
    ///
    /// - Parameters:
    ///   - elements: What the list will hold.
    ///   - isSame: Tells whether an element of this list can stand for one of `elements`; it is asked only for elements
    ///     whose hashes are equal, and for no more than ten of these.
    /// - Complexity: O(*m*) for *m* elements, and O(log *n*) for each of them that does not follow the one in front of
    ///   it in this list too.
    @inlinable
    public func adopting(_ elements: [Element], isSame: (_ old: Element, _ new: Element) -> Bool) -> Self {
        guard !isEmpty, !elements.isEmpty else {
            return Self(elements)
        }
        let sources = adoptionSources(of: elements, isSame)
        let adopted = { (position: Int) in
            sources[position] < 0 ? elements[position] : self[Int(sources[position])]
        }
        let plan = AdoptionPlan(sources: sources, oldCount: count)
        if plan.hunks.count > 32 + elements.count / 16 {
            return Self(elements.indices.map(adopted))
        }
        var result = self
        if !result.isFewChanges(plan.changes) {
            result.index = IdentityIndex()
        }
        for hunk in plan.hunks.reversed() {
            result.replacePlaces(hunk.old, with: ContiguousArray(hunk.new.lazy.map(adopted)))
        }
        result.settleIndex()
        return result
    }

    /// For each new element, the position of the element of this list that can stand for it, or -1.
    @inlinable
    func adoptionSources(of elements: [Element], _ isSame: (Element, Element) -> Bool) -> [Int32] {
        precondition(count < Int(Int32.max), "lists of 2^31 - 1 elements and more are not adopted")
        var sources: [Int32] = []
        sources.reserveCapacity(elements.count)
        var next = 0
        var walk = makeIterator()
        var candidate = walk.next()
        for element in elements {
            let hash = element.identityHash
            let isLikely = candidate?.identityHash == hash
            if isLikely, let candidate, isSame(candidate, element) {
                sources.append(Int32(truncatingIfNeeded: next))
            } else if let found = adoptionSource(of: element, hash, isSame) {
                sources.append(Int32(truncatingIfNeeded: found))
                next = found
                walk = makeIterator(from: found + 1)
            } else {
                sources.append(-1)
                // An element that stands where one of its identity stood has changed; another one has been inserted.
                guard isLikely else {
                    continue
                }
            }
            next += 1
            candidate = walk.next()
        }
        return sources
    }

    /// The position of an element that can stand for another one, if it is among the first few that have its hash.
    @inlinable
    func adoptionSource(of element: Element, _ hash: Int, _ isSame: (Element, Element) -> Bool) -> Int? {
        var tries = 8
        var isFound = false
        let position = firstPosition(hash: hash) { old in
            tries -= 1
            isFound = isSame(old, element)
            return isFound || tries == 0
        }
        return isFound ? position : nil
    }

    /// Puts elements in the place of others, without bringing the index in or out of being.
    @inlinable
    mutating func replacePlaces(_ positions: Range<Int>, with elements: ContiguousArray<Element>) {
        guard positions.count == elements.count, positions.count <= 32 else {
            removePlaces(positions)
            insertPlaces(elements, at: positions.lowerBound)
            return
        }
        for (position, element) in zip(positions, elements) {
            replace(at: position, with: element)
        }
    }
}

/// How a list becomes another one that was made of its elements and new ones.
@usableFromInline
struct AdoptionPlan {
    /// Elements of the list that give way to others.
    @usableFromInline
    struct Hunk {
        /// The positions of what gives way.
        @usableFromInline let old: Range<Int>

        /// The positions of what comes, among the new elements.
        @usableFromInline let new: Range<Int>
    }

    /// The replaced ranges, ascending on both sides; between hunks both sides are the same.
    @usableFromInline private(set) var hunks: [Hunk] = []

    /// How many elements come and go.
    @usableFromInline private(set) var changes = 0

    /// Lets as many elements stay as are in the same order on both sides.
    ///
    /// - Parameters:
    ///   - sources: For each new element, the position of the old one that can stand for it, or a negative number.
    ///   - oldCount: The number of old elements.
    /// - Complexity: O(*m* log *m*) for *m* new elements, and O(*m*) where nothing moves.
    @usableFromInline
    init(sources: [Int32], oldCount: Int) {
        var old = 0
        var new = 0
        for position in Self.longestIncreasing(sources) + [sources.count] {
            let source = position < sources.count ? Int(sources[position]) : oldCount
            if source > old || position > new {
                hunks.append(Hunk(old: old..<source, new: new..<position))
                changes += source - old + position - new
            }
            old = source + 1
            new = position + 1
        }
    }

    /// The positions of the longest run of sources that ascend.
    private static func longestIncreasing(_ sources: [Int32]) -> [Int] {
        var tails = PatienceTails()
        var previous = Array(repeating: Int32(-1), count: sources.count)
        for position in sources.indices where sources[position] >= 0 {
            let member = Int32(truncatingIfNeeded: position)
            if let before = tails.extend(to: sources[position], by: member) {
                previous[position] = before
            }
        }
        var run: [Int] = []
        var member = Int(tails.last)
        while member >= 0 {
            run.append(member)
            member = Int(previous[member])
        }
        return run.reversed()
    }
}
