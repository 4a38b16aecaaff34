extension PersistentList {
    /// The broken invariants of the list; none, unless there is a fault in the code.
    ///
    /// Checked are the form of both trees, all that their nodes know of what is under them, that labels ascend and are
    /// in range, and that the index has the entries of all elements and no others, or is not there where it is not
    /// needed.
    /// - Complexity: O(*n* log *n*).
    package func brokenInvariants() -> [String] {
        var broken = places.brokenInvariants().map { "places: \($0)" }
        broken += index.tree.brokenInvariants().map { "index: \($0)" }
        broken += index.recent.brokenInvariants().map { "the index's recent entries: \($0)" }
        return broken.isEmpty ? brokenLabels() : broken
    }

    private func brokenLabels() -> [String] {
        var broken: [String] = []
        for place in places where place.label < Labels.lowest || place.label >= -Labels.lowest {
            broken.append("the label \(place.label) is out of range")
        }
        if places.height == 0 {
            if !index.isEmpty {
                broken.append("the elements of a single leaf have an index")
            }
        } else {
            let expected = places.map(\.entry).sorted()
            let entries = index.recent.isEmpty ? Array(index.tree) : (Array(index.tree) + Array(index.recent)).sorted()
            if let (one, other) = zip(entries, expected).first(where: { $0 != $1 }) {
                broken.append("the index has \(one) where \(other) belongs")
            } else if entries.count != expected.count {
                broken.append("the index has \(entries.count) entries for \(expected.count) elements")
            }
        }
        return broken
    }
}
