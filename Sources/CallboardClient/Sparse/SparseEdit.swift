import ListDiff

/// The edits of one stage inside a partly loaded section.
package struct SparseEdit: StageEdit {
    package typealias Item = SparseElements.Slot?

    private let elements: SparseElements
    private var taken: Set<Int> = []
    private var updates: [Int: RemoteElement] = [:]
    private var leaving: [Int] = []
    private var arrivals: [Arrival<Item>] = []

    package init(_ elements: SparseElements) { self.elements = elements }

    package var count: Int { elements.count }

    package mutating func take(_ place: Int) -> Bool { taken.insert(place).inserted }

    package func matches(_ identifier: RemoteElement.Identity, at place: Int) -> Bool {
        guard let present = elements.slot(at: place)?.element else { return true }
        return present.differenceIdentifier == identifier
    }

    package mutating func update(at place: Int, with element: RemoteElement) { updates[place] = element }

    package mutating func remove(at place: Int) { leaving.append(place) }

    package func item(at place: Int) -> Item { elements.slot(at: place) }

    package static func item(of element: RemoteElement) -> Item {
        SparseElements.Slot(content: .element(element), lastUse: 0)
    }

    package mutating func add(_ arrival: Arrival<Item>) { arrivals.append(arrival) }

    /// Puts what arrives at its place, and moves what stays into the gaps between.
    ///
    /// - Complexity: O((*h* + *k*) log *k*) for *h* elements that are here and *k* operations.
    package func finish() throws(ArrivalMisfit) -> SparseElements {
        let arrivals = arrivals.sorted { $0.at < $1.at }
        try Arrival.check(arrivals, staying: elements.count - leaving.count)
        let (leaving, arriving) = (leaving.sorted(), arrivals.map(\.at))
        var known: [(place: Int, slot: SparseElements.Slot)] = []
        known.reserveCapacity(elements.slots.count + updates.count + arrivals.count)
        for (place, slot) in zip(elements.places, elements.slots) {
            var slot = slot
            if let element = updates[place] { slot.content = .element(element) }
            known.append((place, slot))
        }
        for (place, element) in updates where elements.slot(at: place) == nil {
            known.append((place, .init(content: .element(element), lastUse: 0)))
        }
        var moved = known.compactMap { place, slot -> (place: Int, slot: SparseElements.Slot)? in
            let before = SectionPlacement.below(place, in: leaving)
            guard before == leaving.count || leaving[before] != place else { return nil }
            return (SectionPlacement.gap(place - before, in: arriving), slot)
        }
        moved += arrivals.compactMap { arrival in arrival.item.map { (arrival.at, $0) } }
        moved.sort { $0.place < $1.place }
        var result = SparseElements(count: elements.count - leaving.count + arrivals.count)
        result.places = moved.map(\.place)
        result.slots = moved.map(\.slot)
        return result
    }
}
