extension PersistentList {
    /// Labels for places that are about to be inserted in front of a position.
    ///
    /// The index must hold exactly the entries of the places, or nothing.
    @inlinable
    mutating func makeLabels(_ number: Int, at position: Int) -> Labels.Run {
        let (before, after) = places.neighbours(ofGap: position)
        return Labels.run(number, between: before, and: after)
            ?? relabel(around: position, beside: before ?? after ?? 0, makingRoomFor: number)
    }

    /// Labels the places around a position anew, so that there is room for others in front of it.
    @inlinable
    mutating func relabel(around position: Int, beside label: Int64, makingRoomFor number: Int) -> Labels.Run {
        var width = Labels.widths.lowerBound
        while true {
            let low = Labels.lowest + ((label - Labels.lowest) >> Int64(width)) << Int64(width)
            let range = places.rank(of: low)..<places.rank(of: low + 1 << Int64(width))
            let total = range.count + number
            if total < Labels.capacity(ofWidth: width) || width == Labels.widths.upperBound {
                let step = 1 << Int64(width) / Int64(total)
                let run = Labels.Run(first: low + step / 2, step: step)
                relabel(range, run, leavingOut: number, at: position)
                return Labels.Run(first: run[position - range.lowerBound], step: step)
            }
            width += 1
        }
    }

    @inlinable
    mutating func relabel(_ range: Range<Int>, _ run: Labels.Run, leavingOut number: Int, at position: Int) {
        if isFewChanges(range.count) {
            var changes: ContiguousArray<LabelChange> = []
            places.updateAll(range) { current, place in
                let label = run[current - range.lowerBound + (current < position ? 0 : number)]
                changes.append(LabelChange(entry: place.entry, label: label))
                place.label = label
            }
            index.relabel(changes)
        } else {
            index = IdentityIndex()
            places.updateAll(range) { current, place in
                place.label = run[current - range.lowerBound + (current < position ? 0 : number)]
            }
        }
    }
}

// MARK: - The index

extension PersistentList {
    /// Whether the index is there, and so many of its entries are changed sooner one by one than by making it anew.
    @inlinable
    func isFewChanges(_ number: Int) -> Bool {
        !index.isEmpty && number <= 32 + index.count / 16
    }

    /// Adds places to the index, if it is there.
    @inlinable
    mutating func addToIndex(_ added: CountedTree<Place<Element>>) {
        if !index.isEmpty {
            addToIndex(Self.entries(of: added))
        }
    }

    /// Adds entries, which are in the order of their labels, to an index that is there.
    @inlinable
    mutating func addToIndex(_ entries: ContiguousArray<IndexEntry>) {
        if entries.count < Self.fewestTogether {
            for entry in entries {
                index.insert(entry)
            }
        } else {
            index.insert(contentsOf: entries)
        }
    }

    /// The fewest entries that are worth a tree of their own.
    @inlinable static var fewestTogether: Int { 64 }

    /// Removes places from the index, or gives it up if they are most of it.
    @inlinable
    mutating func removeFromIndex(_ removed: CountedTree<Place<Element>>) {
        if removed.count > index.count / 2 {
            index = IdentityIndex()
        } else if removed.count < Self.fewestTogether || removed.count < index.tree.count / Self.removalCost {
            for place in removed {
                index.remove(place.entry)
            }
        } else {
            index.remove(contentsOf: Self.entries(of: removed))
        }
    }

    /// How many times as long it takes to remove an entry by itself as to copy one.
    @inlinable static var removalCost: Int { 128 }

    /// Makes the index if it is needed and was given up or never made, and drops it if it is not needed.
    @inlinable
    mutating func settleIndex() {
        if places.height == 0 {
            if !index.isEmpty {
                index = IdentityIndex()
            }
        } else if index.isEmpty {
            index = IdentityIndex(Self.entries(of: places))
        }
    }

    /// The entries of places, in the order of their labels.
    @inlinable
    static func entries(of places: CountedTree<Place<Element>>) -> ContiguousArray<IndexEntry> {
        var entries: ContiguousArray<IndexEntry> = []
        entries.reserveCapacity(places.count)
        places.root?.forEachLeaf { items in
            for offset in items.indices {
                entries.append(items[offset].entry)
            }
        }
        return entries
    }
}
