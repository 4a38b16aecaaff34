/// Writes the path of a resource for the `Location` field.
enum Location {
    /// A path of these segments, percent-encoded one by one (RFC 3986, section 3.3).
    static func path(_ segments: String...) -> String {
        segments.reduce(into: "") { path, segment in
            path += "/"
            for byte in segment.utf8 {
                if isUnreserved(byte) {
                    path.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    path += byte < 16 ? "%0" : "%"
                    path += String(byte, radix: 16, uppercase: true)
                }
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
