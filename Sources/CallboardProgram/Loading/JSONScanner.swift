/// Looks over JSON text without making values of it.
///
/// It accepts JSON alone (RFC 8259), but not all of it: texts with escaped names, `\u` escapes, objects of many members
/// or deep nesting are left to the parser, which accepts them or describes their fault.
struct JSONScanner {
    private static let maximumDepth = 64
    private static let maximumMembers = 32

    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int
    /// The names of the objects that are open, those of the innermost last.
    private var names: [Range<Int>] = []
    private var isASCII = true

    /// Makes a scanner of a part of some bytes.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The elements of an array that is a whole document; nil where it is none, or not surely JSON.
    static func elements(of bytes: [UInt8]) -> [Range<Int>]? {
        var scanner = JSONScanner(bytes, in: 0..<bytes.count)
        var elements: [Range<Int>] = []
        scanner.skipWhiteSpace()
        guard scanner.take(UInt8(ascii: "[")) else { return nil }
        scanner.skipWhiteSpace()
        if !scanner.take(UInt8(ascii: "]")) {
            repeat {
                scanner.skipWhiteSpace()
                let start = scanner.position
                guard scanner.skipValue() else { return nil }
                elements.append(start..<scanner.position)
                scanner.skipWhiteSpace()
            } while scanner.take(UInt8(ascii: ","))
            guard scanner.take(UInt8(ascii: "]")) else { return nil }
        }
        scanner.skipWhiteSpace()
        return scanner.position == bytes.count && scanner.isUTF8(0..<bytes.count) ? elements : nil
    }

    private func isUTF8(_ range: Range<Int>) -> Bool {
        isASCII || String(validating: bytes[range], as: UTF8.self) != nil
    }

    private mutating func skipWhiteSpace() {
        while position < end {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Goes behind the next value; false where it is not surely one.
    private mutating func skipValue(depth: Int = 0) -> Bool {
        skipWhiteSpace()
        guard position < end, depth < Self.maximumDepth else { return false }
        switch bytes[position] {
        case UInt8(ascii: "{"): return skipObject(depth: depth + 1)
        case UInt8(ascii: "["): return skipArray(depth: depth + 1)
        case UInt8(ascii: "\""): return skipString()
        case UInt8(ascii: "t"): return skip("true")
        case UInt8(ascii: "f"): return skip("false")
        case UInt8(ascii: "n"): return skip("null")
        default: return skipNumber()
        }
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        String(describing: word).utf8.allSatisfy { take($0) }
    }

    private mutating func skipArray(depth: Int) -> Bool {
        position += 1
        skipWhiteSpace()
        if take(UInt8(ascii: "]")) { return true }
        repeat {
            guard skipValue(depth: depth) else { return false }
            skipWhiteSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]"))
    }

    private mutating func skipObject(depth: Int) -> Bool {
        position += 1
        skipWhiteSpace()
        if take(UInt8(ascii: "}")) { return true }
        let first = names.count
        defer { names.removeSubrange(first...) }
        repeat {
            skipWhiteSpace()
            guard skipName(amongThoseFrom: first) else { return false }
            skipWhiteSpace()
            guard take(UInt8(ascii: ":")), skipValue(depth: depth) else { return false }
            skipWhiteSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    /// Goes behind a name that the object does not have yet.
    private mutating func skipName(amongThoseFrom first: Int) -> Bool {
        guard take(UInt8(ascii: "\"")), names.count - first < Self.maximumMembers else { return false }
        let start = position
        while position < end, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") else { return false }
            if bytes[position] >= 0x80 { isASCII = false }
            position += 1
        }
        let name = start..<position
        for index in first..<names.count where isSame(names[index], name) { return false }
        names.append(name)
        return take(UInt8(ascii: "\""))
    }

    private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }

    private mutating func skipString() -> Bool {
        position += 1
        while position < end {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte < 0x20 { return false }
            if byte >= 0x80 { isASCII = false }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard position < end else { return false }
            switch bytes[position] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                position += 1
            default: return false
            }
        }
        return false
    }

    private mutating func skipNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) {
            guard skipDigits() else { return false }
        }
        if take(UInt8(ascii: ".")) {
            guard skipDigits() else { return false }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            return skipDigits()
        }
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position > start
    }
}
