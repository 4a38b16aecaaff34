/// A queue: what was put in first is taken out first.
struct FIFO<Element> {
    private var elements: [Element] = []
    /// How many elements at the front have been taken out.
    private var taken = 0

    /// How many there are.
    var count: Int { elements.count - taken }

    /// Whether there is none.
    var isEmpty: Bool { count == 0 }

    /// Puts an element at the end.
    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes the first element out. O(1) on average.
    mutating func popFirst() -> Element? {
        guard taken < elements.count else { return nil }
        defer {
            taken += 1
            if taken >= 32, 2 * taken >= elements.count { dropTaken() }
        }
        return elements[taken]
    }

    /// The position of the first element that is meant, from the front.
    func firstIndex(where isMeant: (Element) -> Bool) -> Int? {
        elements[taken...].firstIndex(where: isMeant).map { $0 - taken }
    }

    /// Takes the element at a position out. O(1) on average for the first one, O(count) for others.
    mutating func remove(at index: Int) -> Element? {
        guard index > 0 else { return popFirst() }
        return index < count ? elements.remove(at: taken + index) : nil
    }

    private mutating func dropTaken() {
        elements.removeFirst(taken)
        taken = 0
    }
}
