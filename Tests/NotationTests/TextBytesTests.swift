import Notation
import Testing

@Suite("Bytes of texts and numbers")
struct TextBytesTests {
    @Test("a text's bytes are appended as they are", arguments: ["", "a", "a text that is on the heap", "ŝ\u{0}\n€"])
    func text(text: String) {
        var bytes: [UInt8] = [1]
        bytes.append(text: text)
        #expect(bytes == [1] + Array(text.utf8))
    }

    @Test(
        "numbers are written in decimal",
        arguments: [0, 1, 9, 10, 99, 100, 12_345, Int.max, -1, -10, -12_345, Int.min])
    func decimal(value: Int) {
        var bytes: [UInt8] = []
        bytes.append(decimal: value)
        #expect(bytes == Array("\(value)".utf8))
    }

    @Test("what has to be escaped is found at every place of a text, whatever stands beside it")
    func escapes() {
        let special: [(byte: String, form: String)] = [
            ("\"", "\\\""), ("\\", "\\\\"), ("\u{0}", "\\u0000"), ("\u{1f}", "\\u001f"), ("\n", "\\n"),
        ]
        // Neighbours that a search by words may take for the byte that it looks for.
        for filling in ["a", "!", "#", "]", "[", " ", "\u{7f}", "é"] {
            for length in 0..<20 {
                let plain = String(repeating: filling, count: length)
                #expect(quoted(plain) == "\"\(plain)\"")
                for (byte, form) in special {
                    for place in 0...length {
                        let (before, after) = (plain.prefix(place), plain.suffix(length - place))
                        #expect(quoted(before + byte + after) == "\"\(before)\(form)\(after)\"")
                    }
                }
            }
        }
    }

    private func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.appendQuoted(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
