/// The edits of one stage inside one remaining section whose elements are a persistent list.
@usableFromInline
@frozen
struct PersistentEdit<Element: ListItem>: StageEdit {
    /// The elements at their places before the stage, with the content that updates give them.
    @usableFromInline var elements: PersistentList<Element>
    @usableFromInline var arrivals: [Arrival<Element>] = []

    /// The elements that have an operation.
    @usableFromInline var taken: Set<Int> = []

    /// The elements that are deleted or moved.
    @usableFromInline var leaving: [Int] = []

    @inlinable
    init(_ elements: PersistentList<Element>) {
        self.elements = elements
    }

    @inlinable var count: Int { elements.count }

    @inlinable
    mutating func take(_ place: Int) -> Bool {
        taken.insert(place).inserted
    }

    @inlinable
    func matches(_ identifier: Element.DifferenceIdentifier, at place: Int) -> Bool {
        elements[place].differenceIdentifier == identifier
    }

    @inlinable
    mutating func update(at place: Int, with element: Element) {
        elements.replace(at: place, with: element)
    }

    @inlinable
    mutating func remove(at place: Int) {
        leaving.append(place)
    }

    @inlinable
    func item(at place: Int) -> Element { elements[place] }

    @inlinable
    static func item(of element: Element) -> Element { element }

    @inlinable
    mutating func add(_ arrival: Arrival<Element>) {
        arrivals.append(arrival)
    }

    /// Puts what arrives at its place and what stays into the gaps between.
    ///
    /// - Complexity: O(*k* log *n*) for *k* elements that leave or arrive.
    @inlinable
    func finish() throws(ArrivalMisfit) -> PersistentList<Element> {
        if arrivals.isEmpty && leaving.isEmpty {
            return elements
        }
        let arrivals = arrivals.sorted { $0.at < $1.at }
        try Arrival.check(arrivals, staying: elements.count - leaving.count)
        var result = elements
        result.remove(at: leaving)
        var next = 0
        while next < arrivals.count {
            var end = next + 1
            while end < arrivals.count, arrivals[end].at == arrivals[end - 1].at + 1 {
                end += 1
            }
            if end == next + 1 {
                result.insert(arrivals[next].item, at: arrivals[next].at)
            } else {
                result.insert(contentsOf: arrivals[next..<end].map(\.item), at: arrivals[next].at)
            }
            next = end
        }
        return result
    }
}
