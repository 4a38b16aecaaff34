import CallboardClient
import Notation

/// Takes the records of a JSON document apart by its brackets and strings alone, where one of them is no JSON.
///
/// The text between two commas of the list is a record, of any form. Nothing is taken apart whose list does not end, or
/// has nothing between two commas.
struct JSONParts {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The records at a pointer; nil looks for them as ``JSONRecords`` does. Nil where the document has no such list.
    static func records(in bytes: [UInt8], at pointer: String?) -> [Range<Int>]? {
        var parts = JSONParts(bytes)
        guard let document = parts.value(), parts.isAtEnd else { return nil }
        var value = document
        if let pointer {
            for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
                let name = Name(token.replacing("~1", with: "/").replacing("~0", with: "~"))
                let found = parts.members(of: value)?.first { Name($0.name) == name }
                guard let found else { return nil }
                value = found.value
            }
        } else if bytes[value.lowerBound] == UInt8(ascii: "{") {
            let arrays = parts.members(of: value)?.filter { bytes[$0.value.lowerBound] == UInt8(ascii: "[") } ?? []
            guard arrays.count == 1 else { return nil }
            value = arrays[0].value
        }
        return bytes[value.lowerBound] == UInt8(ascii: "{")
            ? parts.members(of: value)?.map(\.value) : parts.items(of: value)
    }

    private var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return position == bytes.count
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    /// The range up to the next comma or closing bracket of the enclosing value; nil if it is empty or not closed.
    private mutating func value() -> Range<Int>? {
        skipSpace()
        let start = position
        var (depth, end) = (0, position)
        scan: while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                guard skipString() else { return nil }
                end = position
                continue scan
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { break scan }
                depth -= 1
            case UInt8(ascii: ","):
                if depth == 0 { break scan }
            case UInt8(ascii: ":"):
                if depth == 0 { break scan }
            default: break
            }
            position += 1
            if ![0x20, 0x09, 0x0A, 0x0D].contains(byte) { end = position }
        }
        return depth == 0 && end > start ? start..<end : nil
    }

    private mutating func skipString() -> Bool {
        position += 1
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\\") {
                position += 1
            } else if bytes[position] == UInt8(ascii: "\"") {
                position += 1
                return true
            }
            position += 1
        }
        return false
    }

    private func items(of range: Range<Int>) -> [Range<Int>]? {
        guard bytes[range.lowerBound] == UInt8(ascii: "["), bytes[range.upperBound - 1] == UInt8(ascii: "]") else {
            return nil
        }
        var parts = JSONParts(bytes)
        parts.position = range.lowerBound + 1
        var items: [Range<Int>] = []
        repeat {
            guard let item = parts.value(), parts.position < range.upperBound else { return nil }
            items.append(item)
        } while parts.take(UInt8(ascii: ","))
        return parts.position == range.upperBound - 1 ? items : nil
    }

    private func members(of range: Range<Int>) -> [(name: String, value: Range<Int>)]? {
        guard bytes[range.lowerBound] == UInt8(ascii: "{"), bytes[range.upperBound - 1] == UInt8(ascii: "}") else {
            return nil
        }
        var parts = JSONParts(bytes)
        parts.position = range.lowerBound + 1
        var members: [(String, Range<Int>)] = []
        repeat {
            guard let name = parts.value(), let text = (try? JSON(parsing: bytes[name]))?.stringValue,
                parts.take(UInt8(ascii: ":")), let value = parts.value(), parts.position < range.upperBound
            else { return nil }
            members.append((text, value))
        } while parts.take(UInt8(ascii: ","))
        return parts.position == range.upperBound - 1 ? members : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
