/// Finds the names that somebody probably meant.
package enum NearestName {
    /// The candidate with the fewest changed letters, or nil where even that one is too far off to be meant.
    ///
    /// - Complexity: O(*n* *l*²) for *n* candidates of *l* letters.
    package static func find(_ name: String, among candidates: some Sequence<String>) -> String? {
        let written = Array(name.lowercased())
        let best = candidates.map { ($0, distance(written, Array($0.lowercased()))) }.min { $0.1 < $1.1 }
        guard let best, best.1 <= max(2, name.count / 3) else { return nil }
        return best.0
    }

    /// The names in the order of how much would have to be changed in them; equally far ones stay in their order.
    ///
    /// - Complexity: O(*n* *l*²) for *n* names of *l* letters; of the name that was written, 64 letters are looked at.
    static func order(_ names: [String], by written: String) -> [String] {
        let letters = Array(written.lowercased().prefix(64))
        let ranked = names.enumerated().map { position, name in
            (distance: distance(letters, Array(name.lowercased())), position: position, name: name)
        }
        return ranked.sorted { ($0.distance, $0.position) < ($1.distance, $1.position) }.map(\.name)
    }

    /// How many letters are inserted, removed or replaced at least (Levenshtein).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = index
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
