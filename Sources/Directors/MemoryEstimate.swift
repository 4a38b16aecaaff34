/// How much memory a value takes outside of itself, as a 64-bit allocator gives it out.
///
/// An estimate: it takes every block to be 8 bytes longer than what was asked for and rounded up to 16, as glibc's
/// allocator does, and counts a block that several values share for each of them.
enum MemoryEstimate {
    /// The header of an object: its class and its reference counts.
    static let objectHeader = 16

    /// A block of the heap that holds so many bytes.
    static func block(_ bytes: Int) -> Int {
        (bytes + 8 + 15) & ~15
    }

    /// The heap that a text takes: none where it is short enough to stand in the `String` itself.
    static func string(_ text: String) -> Int {
        let count = text.utf8.count
        return count <= 15 ? 0 : block(32 + count + 1)
    }

    /// The heap that a text takes where there is one.
    static func string(_ text: String?) -> Int {
        text.map { string($0) } ?? 0
    }

    /// The heap that an array of bytes takes.
    static func bytes(_ array: [UInt8]) -> Int {
        array.capacity == 0 ? 0 : block(32 + array.capacity)
    }
}
