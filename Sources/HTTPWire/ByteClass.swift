/// What a byte may be part of, by RFC 9110 and RFC 3986.
enum ByteClass {
    /// Whether a byte is a control character that no field value may have; a tab is not.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x09) || byte == 0x7f
    }
}
