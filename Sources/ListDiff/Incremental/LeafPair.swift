/// A leaf of either side, whose elements are compared place by place, forwards or backwards.
@usableFromInline
@frozen
struct LeafPair<Element: ListItem> {
    /// Why a comparison has ended.
    @usableFromInline
    @frozen
    enum End {
        /// There is nothing left to compare.
        case finished
        /// The next elements are paired, but differ in content.
        case changed
        /// The next elements have different identifiers.
        case parted
    }

    @usableFromInline let items: ContiguousArray<Place<Element>>
    @usableFromInline let others: ContiguousArray<Place<Element>>

    /// The position of the first of the items in the source.
    @usableFromInline let start: Int

    @inlinable
    init(_ before: UnmatchedNode<Place<Element>>, _ after: UnmatchedNode<Place<Element>>) {
        items = before.node.items
        others = after.node.items
        start = before.start
    }

    /// How many elements show the same, from a place in either leaf on.
    ///
    /// - Parameters:
    ///   - step: 1 to go on behind the places, -1 to go back in front of them.
    ///   - limit: How many elements to compare at most.
    @inlinable
    @inline(__always)
    func unchanged(
        from place: Int,
        _ other: Int,
        step: Int,
        limit: Int,
        differs: (Element, Int, Element) -> Bool
    ) -> (count: Int, end: End) {
        var count = 0
        // How many elements to compare as such before their bits are tried again: the more, the less that has helped.
        var (pause, left) = (0, 0)
        while count < limit {
            if left == 0 {
                let same = sameCount(place + count * step, other + count * step, step, limit - count)
                count += same
                pause = same > 0 ? 0 : pause * 2 + 1
                left = pause
                if count == limit {
                    break
                }
            }
            let (index, otherIndex) = (place + count * step, other + count * step)
            if items[index].element.differenceIdentifier != others[otherIndex].element.differenceIdentifier {
                return (count, .parted)
            }
            if differs(items[index].element, start + index, others[otherIndex].element) {
                return (count, .changed)
            }
            count += 1
            left = max(left - 1, 0)
        }
        return (limit, .finished)
    }

    /// How many elements are the same in memory; the label, which comes before the element, does not matter.
    @inlinable
    func sameCount(_ place: Int, _ other: Int, _ step: Int, _ limit: Int) -> Int {
        let label = MemoryLayout<Int64>.size
        return step > 0
            ? items.sameCount(from: place, as: others, from: other, atMost: limit, skipping: label)
            : items.sameCount(backFrom: place + 1, as: others, backFrom: other + 1, atMost: limit, skipping: label)
    }
}
