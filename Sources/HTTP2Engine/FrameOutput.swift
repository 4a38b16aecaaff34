/// The driver's buffer while frames are appended to it, up to a limit.
///
/// Content is appended when nghttp2 asks for it, behind room for the header that nghttp2 gives afterwards.
struct FrameOutput {
    private var bytes: [UInt8] = []
    private var limit = 0
    /// The offset of the header of a DATA frame that is not complete; -1 without such a frame.
    private var headerStart = -1
    /// Whether anything was appended since the connection began: the server's SETTINGS are the first frame.
    private(set) var hasBegun = false

    /// The bytes of a frame's header (RFC 9113, section 4.1).
    private static let header = [UInt8](repeating: 0, count: 9)

    /// Whether as much is appended as there may be.
    var isFull: Bool { bytes.count >= limit }

    /// Takes the driver's buffer, to append about `limit` bytes.
    mutating func begin(_ buffer: inout [UInt8], limit: Int) {
        swap(&bytes, &buffer)
        self.limit = bytes.count + limit
    }

    /// Gives the driver's buffer back, with whole frames in it.
    mutating func end(_ buffer: inout [UInt8]) {
        dropUnsent()
        swap(&bytes, &buffer)
    }

    /// Appends whole frames.
    mutating func append(_ frames: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: frames)
        hasBegun = true
    }

    /// Appends a DATA frame's content, behind room for its header.
    mutating func appendContent(_ content: [UInt8], _ range: Range<Int>) {
        headerStart = bytes.count
        // SAFETY: the slice is checked.
        content.withUnsafeBufferPointer { content in
            bytes.append(contentsOf: Self.header)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[range]))
        }
    }

    /// Takes back the content of a frame that nghttp2 did not send.
    mutating func dropUnsent() {
        guard headerStart >= 0 else { return }
        bytes.removeSubrange(headerStart...)
        headerStart = -1
    }

    /// Writes the header of the DATA frame whose content of `count` bytes was appended last; false where there is none.
    mutating func complete(_ header: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard headerStart >= 0, headerStart + 9 + count == bytes.count else { return false }
        // SAFETY: nghttp2 gives the nine bytes of the header, and `bytes` has as many from there on.
        bytes.withUnsafeMutableBytes {
            $0.baseAddress?.advanced(by: headerStart).copyMemory(from: header, byteCount: 9)
        }
        headerStart = -1
        return true
    }
}
