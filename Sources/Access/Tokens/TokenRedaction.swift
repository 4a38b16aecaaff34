extension String {
    /// The text with `cbt_…` in place of what looks like a static token, for logs and for answers: people put tokens where
    /// they do not belong.
    ///
    /// - Complexity: O(bytes); a text without one is returned as it is.
    package var withoutTokens: String {
        let bytes = Array(utf8)
        var result: [UInt8] = []
        var (index, kept) = (0, 0)
        while let start = Self.find(in: bytes, from: index) {
            let end = bytes[(start + 4)...].firstIndex { !Self.isTokens($0) } ?? bytes.count
            // A word that happens to begin so is no secret.
            if end - start >= 24 {
                result += bytes[kept..<start]
                result += Array("cbt_…".utf8)
                kept = end
            }
            index = end
        }
        guard kept > 0 else { return self }
        return String(decoding: result + bytes[kept...], as: UTF8.self)
    }

    private static func find(in bytes: [UInt8], from index: Int) -> Int? {
        let prefix = Array(StaticToken.prefix.utf8)
        guard bytes.count - index >= prefix.count else { return nil }
        return (index...bytes.count - prefix.count).first {
            bytes[$0] == prefix[0] && bytes[$0...].starts(with: prefix)
        }
    }

    private static func isTokens(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
