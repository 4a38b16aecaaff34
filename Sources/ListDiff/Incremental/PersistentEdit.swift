/// What one stage does inside one section that stays, where its elements are a persistent list.
@usableFromInline
struct PersistentEdit<Element: ListItem> {
    @usableFromInline typealias Arrival = SectionEdit<Element>.Arrival
    @usableFromInline typealias Misfit = SectionEdit<Element>.Misfit

    /// The elements at their places before the stage, with the content that updates give them.
    @usableFromInline var elements: PersistentList<Element>
    @usableFromInline var arrivals: [Arrival] = []

    /// The elements that have an operation.
    @usableFromInline var taken: Set<Int> = []

    /// The elements that are deleted or moved.
    @usableFromInline var leaving: [Int] = []

    @inlinable
    init(elements: PersistentList<Element>) {
        self.elements = elements
    }

    /// Claims an element for one operation; false if another one has claimed it.
    @inlinable
    mutating func take(_ element: Int) -> Bool {
        taken.insert(element).inserted
    }

    /// Puts what arrives at its place and what stays into the gaps between.
    ///
    /// - Complexity: O(*k* log *n*) for *k* elements that leave or arrive.
    @inlinable
    func finish() throws(Misfit) -> PersistentList<Element> {
        if arrivals.isEmpty && leaving.isEmpty {
            return elements
        }
        let arrivals = arrivals.sorted { $0.at < $1.at }
        try check(arrivals)
        var result = elements
        result.remove(at: leaving)
        var next = 0
        while next < arrivals.count {
            var end = next + 1
            while end < arrivals.count, arrivals[end].at == arrivals[end - 1].at + 1 {
                end += 1
            }
            if end == next + 1 {
                result.insert(arrivals[next].element, at: arrivals[next].at)
            } else {
                result.insert(contentsOf: arrivals[next..<end].map(\.element), at: arrivals[next].at)
            }
            next = end
        }
        return result
    }

    /// Refuses arrivals, in the order of their places, that find none.
    @inlinable
    func check(_ arrivals: [Arrival]) throws(Misfit) {
        let staying = elements.count - leaving.count
        let count = staying + arrivals.count
        var next = 0
        for (number, arrival) in arrivals.enumerated() {
            guard arrival.at >= 0, arrival.at < count else {
                throw Misfit(arrival, .outOfRange(count: count))
            }
            // In front of it stand those that have arrived and, as far as there are any, those that stay.
            guard arrival.at >= next, arrival.at <= staying + number else {
                throw Misfit(arrival, .targetTaken)
            }
            next = arrival.at + 1
        }
    }
}
