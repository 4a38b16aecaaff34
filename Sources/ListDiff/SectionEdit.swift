/// The edits of one stage inside one remaining section.
@usableFromInline
@frozen
struct SectionEdit<Element> {
    /// The elements at their places before the stage, with the content that updates give them.
    @usableFromInline var elements: [Element]
    @usableFromInline var arrivals: [Arrival<Element>] = []
    @usableFromInline var isSource: [Bool]
    @usableFromInline var isLeaving: [Bool]
    @usableFromInline var leavingCount = 0

    @inlinable
    init(elements: [Element]) {
        self.elements = elements
        isSource = Array(repeating: false, count: elements.count)
        isLeaving = isSource
    }

    /// Claims an element for one operation; false if another one has claimed it.
    @inlinable
    mutating func take(_ element: Int) -> Bool {
        if isSource[element] {
            return false
        }
        isSource[element] = true
        return true
    }

    /// Lets an element go that has been claimed.
    @inlinable
    mutating func remove(at element: Int) {
        isLeaving[element] = true
        leavingCount += 1
    }

    /// Puts what arrives at its place and what stays into the gaps between.
    @inlinable
    func finish() throws(ArrivalMisfit) -> [Element] {
        if arrivals.isEmpty && leavingCount == 0 {
            return elements
        }
        let count = elements.count - leavingCount + arrivals.count
        var result: [Element] = []
        result.reserveCapacity(count)
        var next = 0
        for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
            guard arrival.at >= 0, arrival.at < count else {
                throw ArrivalMisfit(arrival, .outOfRange(count: count))
            }
            appendStaying(upTo: arrival.at, from: &next, to: &result)
            // Distinct targets always leave enough to fill the gaps before each of them.
            guard result.count == arrival.at else {
                throw ArrivalMisfit(arrival, .targetTaken)
            }
            result.append(arrival.item)
        }
        appendStaying(upTo: count, from: &next, to: &result)
        return result
    }

    @inlinable
    func appendStaying(upTo count: Int, from next: inout Int, to result: inout [Element]) {
        while result.count < count, next < elements.count {
            if !isLeaving[next] {
                result.append(elements[next])
            }
            next += 1
        }
    }
}
