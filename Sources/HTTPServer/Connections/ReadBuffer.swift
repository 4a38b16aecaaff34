/// Memory that a worker's connections receive into, one at a time; an idle connection has none of its own.
final class ReadBuffer {
    static let size = 64 * 1024

    // SAFETY: allocated once, freed in deinit, and lent out only for the length of a call.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadBuffer.size, alignment: 64)
    /// The received bytes after decryption; used for encrypted connections only.
    var plaintext: [UInt8] = []
    /// Whether a connection is still working on what is in it.
    var isInUse = false

    deinit {
        // SAFETY: nobody is left who could use it.
        memory.deallocate()
    }

    /// Works on the bytes that were opened last.
    func withPlaintext(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var bytes: [UInt8] = []
        swap(&bytes, &plaintext)
        bytes.withUnsafeBufferPointer(body)
        plaintext = bytes
    }

    /// The first `count` bytes, for as long as `isInUse` keeps others from receiving.
    func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        // SAFETY: the memory holds bytes only, and the caller received at least `count` of them.
        UnsafeBufferPointer(rebasing: memory.bindMemory(to: UInt8.self)[..<count])
    }
}
