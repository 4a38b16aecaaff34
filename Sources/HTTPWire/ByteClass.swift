/// The syntactic classes of a byte, by RFC 9110 and RFC 3986.
enum ByteClass {
    /// Whether a byte is a control character that no field value may have; a tab is not (RFC 9110, section 5.5).
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x09) || byte == 0x7f
    }

    /// Whether a byte may be in a token, and so in a method or a field name (RFC 9110, section 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
    }

    /// Whether a byte may be in a request target as it is; `%` is not, since it needs two digits after it.
    ///
    /// These are RFC 3986's path and query characters and the eight that browsers leave unencoded there
    /// (``[ ] \ ^ ` { | }``). Still refused: space, controls, `"`, `#`, `<`, `>` and all above ASCII.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        contains(byte, low: 0xafff_ffd2_0000_0000, high: 0x7fff_ffff_ffff_ffff)
    }

    /// Whether a byte may be in a registered name as it is (RFC 3986, section 3.2.2).
    @inline(__always)
    static func isRegisteredName(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2bff_7fd2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
    }

    /// Whether a byte is a decimal digit.
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// Whether a byte is a space or a tab: the optional white space around values (RFC 9110, section 5.6.3).
    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// An upper-case ASCII letter in lower case, any other byte as it is.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Sets of ASCII bytes are two words of bits, so that a look-up is a shift and touches no memory.
    @inline(__always)
    private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        guard byte < 128 else { return false }
        return ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
    }
}
