/// The rows of one life's answers: enough to know which are to be deleted.
package struct KeptAnswers {
    /// An answer's row.
    package struct Row: Sendable {
        /// The number of the row.
        package let id: Int
        /// The bytes that keeping it takes.
        package let size: Int
        /// When it may be forgotten, in seconds since 1970.
        package let expires: Int

        /// Makes a row.
        package init(id: Int, size: Int, expires: Int) {
            self.id = id
            self.size = size
            self.expires = expires
        }
    }

    /// The rows, oldest first.
    package private(set) var rows: [Row] = []
    private var bytes = 0

    /// Keeps nothing yet.
    package init() {}

    /// Adds an answer.
    ///
    /// - Returns: The rows of the answers that are deleted for it: expired, or beyond the bound.
    package mutating func add(_ row: Row, bound: CommitBound, now: Int) -> [Int] {
        rows.append(row)
        bytes += row.size
        var kept = 0
        while kept < rows.count - 1 {
            guard rows[kept].expires <= now || rows.count - kept > bound.count || bytes > bound.bytes else { break }
            bytes -= rows[kept].size
            kept += 1
        }
        let forgotten = rows[..<kept].map(\.id)
        rows.removeFirst(kept)
        return forgotten
    }
}
