import CSimdJSON

extension JSONNode {
    /// A hash that equal values share, whatever the order of their members and the spelling of their numbers and strings.
    ///
    /// It is seeded for each run of the process, so that nobody can prepare values that collide; it must not be stored.
    ///
    /// - Complexity: O(*n*) in the length of the value's text.
    package var canonicalHash: UInt64 {
        var hasher = Hasher()
        switch kind {
        case .null:
            hasher.combine(0 as UInt8)
        case .bool:
            hasher.combine(bool == true ? 2 : 1 as UInt8)
        case .number:
            hasher.combine(3 as UInt8)
            hashNumber(into: &hasher)
        case .string:
            hasher.combine(4 as UInt8)
            hasher.combine(contentBytes: contentBytes)
        case .array:
            hasher.combine(5 as UInt8)
            for element in elements {
                hasher.combine(element.canonicalHash)
            }
        case .object:
            hasher.combine(6 as UInt8)
            hasher.combine(memberSum)
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// A sum, since the order of the members does not matter.
    private var memberSum: UInt64 {
        var sum: UInt64 = 0
        for member in members {
            var hasher = Hasher()
            hasher.combine(contentBytes: member.nameNode.contentBytes)
            hasher.combine(member.value.canonicalHash)
            sum &+= UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return sum
    }

    /// Most numbers are small integers, whose value is at hand without bringing them into canonical form.
    private func hashNumber(into hasher: inout Hasher) {
        if let int = smallInteger {
            hasher.combine(int)
            return
        }
        let number = DecimalNumber(text)
        if let int = number.int {
            hasher.combine(int)
        } else {
            hasher.combine(number)
        }
    }

    /// The number, where it is written as an integer of at most 18 digits.
    var smallInteger: Int? {
        let text = text
        guard text.count <= 19 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        let magnitude = isNegative ? text.dropFirst() : text
        guard magnitude.count <= 18 else { return nil }
        var value = 0
        for byte in magnitude {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }
}

extension Hasher {
    /// Feeds a string's bytes and their number.
    mutating func combine(contentBytes: ArraySlice<UInt8>) {
        combine(contentBytes.count)
        // SAFETY: the buffer is read inside the closure only.
        contentBytes.withUnsafeBytes { combine(bytes: $0) }
    }
}
