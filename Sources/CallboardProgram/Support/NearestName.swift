/// Finds the name that somebody probably meant.
enum NearestName {
    /// The candidate with the fewest changed letters, or nil where even that one is too far off to be meant.
    static func find(_ name: String, among candidates: some Sequence<String>) -> String? {
        let written = Array(name.lowercased())
        let best = candidates.map { ($0, distance(written, Array($0.lowercased()))) }.min { $0.1 < $1.1 }
        guard let best, best.1 <= max(2, name.count / 3) else { return nil }
        return best.0
    }

    /// Levenshtein's distance: inserted, removed and replaced letters.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (position, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (character == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
