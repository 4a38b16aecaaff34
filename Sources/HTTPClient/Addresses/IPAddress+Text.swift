extension IPAddress {
    /// Reads an address in its usual form: four decimal numbers, or IPv6 as in RFC 4291 without zone and brackets.
    package init?(_ text: some StringProtocol) {
        if let bits = Self.dotted(text) {
            self = .v4(bits)
        } else if let (high, low) = Self.groups(text) {
            self = .v6(high, low)
        } else {
            return nil
        }
    }

    /// Reads IPv4 as `inet_aton` does: one to four numbers, decimal, octal or hexadecimal, the last of which fills
    /// what is left (`0x7f.1`, `2130706433`, `017700000001`).
    ///
    /// libcurl and resolvers take these spellings, so whoever judges addresses has to read them too.
    package init?(anySpelling text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count <= 4, let last = parts.last else { return nil }
        var bits: UInt64 = 0
        for part in parts.dropLast() {
            guard let number = Self.number(part), number <= 255 else { return nil }
            bits = bits << 8 | number
        }
        let width = UInt64(8 * (5 - parts.count))
        guard let number = Self.number(last), number < 1 << width else { return nil }
        self = .v4(UInt32(truncatingIfNeeded: bits << width | number))
    }

    private static func number(_ text: some StringProtocol) -> UInt64? {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let isOctal = !isHexadecimal && text.hasPrefix("0")
        let digits = isHexadecimal ? text.utf8.dropFirst(2) : text.utf8.dropFirst(0)
        let base: UInt64 = isHexadecimal ? 16 : isOctal ? 8 : 10
        guard !digits.isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = byte.hexadecimalDigit, digit < base else { return nil }
            value = value * base + digit
            guard value <= UInt64(UInt32.max) else { return nil }
        }
        return value
    }

    /// Four decimal numbers from 0 to 255 without leading zeros, which some readers take for octal.
    private static func dotted(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard part.utf8.count <= 3, part == "0" || !part.hasPrefix("0"), part.utf8.allSatisfy(\.isDigit),
                let number = UInt8(part)
            else { return nil }
            bits = bits << 8 | UInt32(number)
        }
        return bits
    }

    private static func groups(_ text: some StringProtocol) -> (UInt64, UInt64)? {
        guard text.utf8.count <= 45 else { return nil }
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = halves.first, let front = pieces(first, mayEndInIPv4: halves.count == 1) else { return nil }
        guard halves.count > 1 else { return front.count == 8 ? bits(front[...]) : nil }
        guard halves.count == 2, let back = pieces(halves[1], mayEndInIPv4: true), front.count + back.count < 8
        else { return nil }
        let zeros = [UInt16](repeating: 0, count: 8 - front.count - back.count)
        return bits((front + zeros + back)[...])
    }

    /// The groups of one side of `::`; the last two may be written as an IPv4 address.
    private static func pieces(_ text: some StringProtocol, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, let bits = dotted(part) {
                groups += [UInt16(truncatingIfNeeded: bits >> 16), UInt16(truncatingIfNeeded: bits)]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.hexadecimalDigit != nil }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups.count <= 8 ? groups : nil
    }

    private static func bits(_ groups: ArraySlice<UInt16>) -> (UInt64, UInt64) {
        let high = groups.prefix(4).reduce(0) { $0 << 16 | UInt64($1) }
        let low = groups.dropFirst(4).reduce(0) { $0 << 16 | UInt64($1) }
        return (high, low)
    }
}

extension UInt8 {
    /// Whether it is an ASCII digit.
    package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// The value of an ASCII hexadecimal digit.
    var hexadecimalDigit: UInt64? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
