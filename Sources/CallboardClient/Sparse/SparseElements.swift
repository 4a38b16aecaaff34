/// The elements of a section of which only some are here: a collection as long as the section, nil where an element is
/// not here.
///
/// Elements that are not loaded take no memory, and a change costs time by the loaded elements, not by the section's
/// length.
public struct SparseElements: RandomAccessCollection, Sendable, Hashable {
    /// The state of a place: an element, or the note that one is requested.
    package struct Slot: Sendable, Hashable {
        enum Content: Sendable, Hashable {
            case element(RemoteElement)
            /// The element is the one with this number among those that the load asked for.
            case awaited(load: Int, number: Int)
        }

        var content: Content
        /// The newest load that asked for the place; 0 for an element that came by itself. The lowest are forgotten first.
        var lastUse: Int

        var element: RemoteElement? {
            if case .element(let element) = content { element } else { nil }
        }
    }

    /// The number of elements, here or not.
    public internal(set) var count: Int
    /// The places of which something is known, ascending.
    var places: [Int] = []
    /// What is known of them.
    var slots: [Slot] = []

    /// Makes a section's elements of which none is here.
    public init(count: Int) { self.count = count }

    /// Makes a section's elements that are all here.
    public init(_ elements: [RemoteElement]) {
        count = elements.count
        places = Array(elements.indices)
        slots = elements.map { Slot(content: .element($0), lastUse: 0) }
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of elements, here or not.
    public var endIndex: Int { count }

    /// The element at a position, or nil where it is not here.
    ///
    /// - Complexity: O(log *h*) in the number of elements that are here.
    public subscript(position: Int) -> RemoteElement? {
        precondition(indices.contains(position), "the position is not in the section")
        return slot(at: position)?.element
    }

    /// The number of elements that are here.
    ///
    /// - Complexity: O(*h*).
    public var heldCount: Int { slots.count { $0.element != nil } }

    /// The state of a place.
    func slot(at place: Int) -> Slot? {
        let index = firstIndex(from: place)
        return index < places.count && places[index] == place ? slots[index] : nil
    }

    /// The index of the first known place that is not in front of this one.
    func firstIndex(from place: Int) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
