/// Takes comments out of JSON, which has none of its own.
enum JSONComments {
    /// The text with `// …` and `/* … */` outside of strings replaced by spaces.
    ///
    /// Every byte keeps its place and line ends stay, so that an error's place is that of the original. A comment that
    /// is never closed reaches to the end.
    static func blank(_ text: [UInt8]) -> [UInt8] {
        var result = text
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""): position = endOfString(text, position)
            case UInt8(ascii: "/"):
                let end = endOfComment(text, position)
                for place in position..<end where text[place] != UInt8(ascii: "\n") && text[place] != UInt8(ascii: "\r")
                {
                    result[place] = UInt8(ascii: " ")
                }
                position = max(end, position + 1)
            default: position += 1
            }
        }
        return result
    }

    private static func endOfString(_ text: [UInt8], _ start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, text.count)
    }

    /// The end of the comment that may begin at `start`; `start` itself without a comment.
    private static func endOfComment(_ text: [UInt8], _ start: Int) -> Int {
        let rest = text[(start + 1)...]
        switch rest.first {
        case UInt8(ascii: "/"): return rest.firstIndex { $0 == UInt8(ascii: "\n") } ?? text.count
        case UInt8(ascii: "*"):
            var position = start + 2
            while position + 1 < text.count {
                if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") { return position + 2 }
                position += 1
            }
            return text.count
        default: return start
        }
    }
}
