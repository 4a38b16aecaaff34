/// Finds the headers of DATA frames in a connection's bytes, however they are cut (RFC 9113, section 4.1).
struct DataFrameFinder {
    /// A DATA frame whose header is complete.
    struct Frame {
        let stream: Int32
        /// Whether it has neither content nor padding.
        let isEmpty: Bool
    }

    /// The bytes of a frame's header.
    static let headerCount = 9

    /// The bytes before the next header; at first the preface's (section 3.4).
    private var skipped = 24
    /// How many bytes of a header have come, and what they say.
    private var position = 0
    private var length = 0
    private var type: UInt8 = 0
    private var stream: UInt32 = 0

    /// The next DATA frame behind `index`, which is moved behind its header; nil, at the end, where there is none.
    mutating func next(in bytes: Span<UInt8>, from index: inout Int) -> Frame? {
        while index < bytes.count {
            if skipped > 0 {
                let step = min(skipped, bytes.count - index)
                index += step
                skipped -= step
                continue
            }
            append(bytes[index])
            index += 1
            guard position == Self.headerCount else { continue }
            let frame = Frame(stream: Int32(truncatingIfNeeded: stream & 0x7fff_ffff), isEmpty: length == 0)
            let isData = type == 0
            skipped = length
            (position, length, stream) = (0, 0, 0)
            if isData { return frame }
        }
        return nil
    }

    private mutating func append(_ byte: UInt8) {
        switch position {
        case 0...2: length = length << 8 | Int(byte)
        case 3: type = byte
        case 4: break
        default: stream = stream << 8 | UInt32(byte)
        }
        position += 1
    }
}
