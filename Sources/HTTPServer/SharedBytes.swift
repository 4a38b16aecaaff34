/// Bytes that many responses send at the same time: held by reference, never copied, never changed.
package struct SharedBytes: Sendable, Hashable {
    /// The bytes.
    package let bytes: [UInt8]

    /// Shares `bytes`, without copying them.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many there are.
    package var count: Int { bytes.count }
}
