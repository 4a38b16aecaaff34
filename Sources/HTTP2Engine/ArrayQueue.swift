/// A queue in an array: elements that are taken are let go of in steps, so that it costs little for each.
struct ArrayQueue<Element> {
    private var elements: [Element] = []
    private var first = 0

    var isEmpty: Bool { elements.isEmpty }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes the oldest element. Complexity: O(1) on average.
    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        first += 1
        if first == elements.count {
            // Room for a few is used again.
            elements.removeAll(keepingCapacity: first <= 64)
            first = 0
        } else if first * 2 >= elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }
}
