extension SparseElements {
    /// Notes that a load has asked for a part: its loaded elements are evicted later than others.
    mutating func touch(_ range: Range<Int>, by load: Int) {
        for index in firstIndex(from: range.lowerBound)..<firstIndex(from: range.upperBound) {
            slots[index].lastUse = load
        }
    }

    /// The smallest part of a range outside of which nothing is missing; nil where nothing is.
    ///
    /// - Complexity: O(*r*) in the length of the range.
    func missing(in range: Range<Int>) -> Range<Int>? {
        var range = range.clamped(to: 0..<count)
        var index = firstIndex(from: range.lowerBound)
        while let first = range.first, index < places.count, places[index] == first {
            range = (first + 1)..<range.upperBound
            index += 1
        }
        var end = firstIndex(from: range.upperBound) - 1
        while let last = range.last, end >= index, places[end] == last {
            range = range.lowerBound..<last
            end -= 1
        }
        return range.isEmpty ? nil : range
    }

    /// Has the places of a range of which nothing is known await a load's elements.
    ///
    /// Their placeholders move with their neighbours until they arrive.
    ///
    /// - Complexity: O(*h* + *r*).
    mutating func await(_ range: Range<Int>, by load: Int) {
        let (first, end) = (firstIndex(from: range.lowerBound), firstIndex(from: range.upperBound))
        var known = first
        let arriving = range.enumerated().map { number, place -> Slot in
            if known < end, places[known] == place {
                known += 1
                return slots[known - 1]
            }
            return Slot(content: .awaited(load: load, number: number), lastUse: load)
        }
        places.replaceSubrange(first..<end, with: range)
        slots.replaceSubrange(first..<end, with: arriving)
    }

    /// Puts a load's elements where they are awaited; what is awaited and has not come is not known any more.
    ///
    /// - Returns: The places where elements have arrived, ascending.
    /// - Complexity: O(*h*).
    mutating func fill(load: Int, with elements: [RemoteElement]) -> [Int] {
        var arrived: [Int] = []
        var hasGone = false
        for index in slots.indices {
            guard case .awaited(load, let number) = slots[index].content else { continue }
            if elements.indices.contains(number) {
                slots[index].content = .element(elements[number])
                arrived.append(places[index])
            } else {
                hasGone = true
            }
        }
        if hasGone {
            keep { if case .awaited(load, _) = $0.content { false } else { true } }
        }
        return arrived
    }

    /// The places that await a load's elements, ascending.
    func awaiting(_ load: Int) -> [Int] {
        slots.indices.filter { if case .awaited(load, _) = slots[$0].content { true } else { false } }.map {
            places[$0]
        }
    }

    /// Forgets what is not to be kept.
    mutating func keep(_ isKept: (Slot) -> Bool) {
        let kept = slots.indices.filter { isKept(slots[$0]) }
        places = kept.map { places[$0] }
        slots = kept.map { slots[$0] }
    }
}
