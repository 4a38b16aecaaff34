/// A bound by number and by bytes.
package struct CommitBound: Sendable, Hashable {
    /// How many.
    package var count: Int
    /// How many bytes in all.
    package var bytes: Int

    /// Makes a bound.
    package init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}
