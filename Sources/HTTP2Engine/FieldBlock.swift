internal import CNGHTTP2
internal import HTTPWire

/// The field block that the client sends: its frames, its fields, and the stream that it begins.
struct FieldBlock {
    private let wire: WireLimits
    private let limits: HTTP2Limits
    private var reader: FieldSectionReader
    /// The bytes of the block's frames, and the CONTINUATION frames among them.
    private var size = 0
    private var continuations = 0
    /// When the newest stream's fields began to arrive.
    private var began: UInt64 = 0
    /// The newest stream that the client has begun.
    private(set) var newestStream: Int32 = 0
    /// Whether the block has begun and its last frame has not.
    private(set) var isOpen = false

    init(limits: HTTP2Limits, wire: WireLimits) {
        (self.limits, self.wire) = (limits, wire)
        reader = FieldSectionReader(limits: wire, maxSize: limits.maxFieldSection)
    }

    /// Takes note that a frame of another kind begins.
    mutating func interrupt() { isOpen = false }

    /// Takes the header of a HEADERS or CONTINUATION frame; returns whether the block is within its bounds.
    mutating func take(_ header: nghttp2_frame_hd) -> Bool {
        if UInt32(header.type) == NGHTTP2_HEADERS.rawValue { (size, continuations) = (0, -1) }
        size += header.length
        continuations += 1
        isOpen = header.flags & UInt8(NGHTTP2_FLAG_END_HEADERS.rawValue) == 0
        return size <= limits.maxHeaderBlock && continuations <= limits.maxContinuations
    }

    /// Takes note that the block is a request's, and begins a stream.
    mutating func beginRequest(_ stream: Int32, now: UInt64) {
        reader = FieldSectionReader(limits: wire, maxSize: limits.maxFieldSection)
        (newestStream, began) = (stream, now)
    }

    /// Takes a field of a request.
    mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        reader.append(name: name, value: value)
    }

    /// A request's fields as a whole.
    struct Request {
        let head: Result<RequestHead, WireError>
        let size: Int
        /// Whether its answer has no content; known also if the head has a fault.
        let isHead: Bool
    }

    /// The request, once its block is complete.
    mutating func finish(endsStream: Bool) -> Request {
        let (size, isHead) = (reader.size, reader.isHead)
        let head = Result { () throws(WireError) in try reader.finish(endsStream: endsStream) }
        return Request(head: head, size: size, isHead: isHead)
    }

    /// Whether the newest stream's fields began to arrive `duration` ago or earlier.
    func isSlow(for duration: UInt64, now: UInt64) -> Bool { now >= began && now - began >= duration }
}
