/// Texts as PostgreSQL takes them: it stores no character with the number 0.
///
/// Such a character is written as U+10FFFE, a noncharacter, and the digit 0; U+10FFFE itself is written with the digit 1
/// after it. A text without either is stored unchanged. Earlier versions stored no such character and left all texts
/// unchanged: a U+10FFFE before anything but these digits is read as it is.
enum StoredText {
    /// U+10FFFE in UTF-8.
    private static let mark: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBE]

    /// Appends a text.
    ///
    /// - Complexity: O(bytes); nothing is copied beside the text.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        let isPlain = text.withUTF8 { utf8 in !utf8.contains { $0 == 0 || $0 == mark[0] } }
        if isPlain {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0: bytes += mark + [UInt8(ascii: "0")]
            case 0x10_FFFE: bytes += mark + [UInt8(ascii: "1")]
            default: bytes += String(scalar).utf8
            }
        }
    }

    /// Reads what ``append(_:to:)`` has written; nil for what is not UTF-8.
    static func read(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(mark[0]) else { return String(validating: bytes, as: UTF8.self) }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let end = position + mark.count
            if end < bytes.count, bytes[position..<end].elementsEqual(mark), [0x30, 0x31].contains(bytes[end]) {
                plain += bytes[end] == 0x30 ? [0] : mark
                position = end + 1
            } else {
                plain.append(bytes[position])
                position += 1
            }
        }
        return String(validating: plain, as: UTF8.self)
    }
}
