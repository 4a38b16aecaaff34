/// Long content of a request, which libcurl asks for part by part: it is in memory once, with whoever made it.
package struct LongContent: Sendable {
    /// How many bytes there are.
    package let count: Int
    /// Reads the bytes of a range, which lies in `0..<count`; on the client's thread, as often as the request is sent.
    package let read: @Sendable (Range<Int>) -> [UInt8]

    /// Makes content.
    package init(count: Int, read: @escaping @Sendable (Range<Int>) -> [UInt8]) {
        self.count = count
        self.read = read
    }
}
