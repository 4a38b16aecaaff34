import CallboardClient

/// Records of Unicode's `emoji-test.txt`, one for each emoji; its groups are the sections.
enum EmojiTestRecords {
    static func read(_ content: [UInt8]) -> LoadedRecords {
        var result = LoadedRecords()
        var group: String?
        var subgroup = ""
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (position, bytes) in lines.enumerated() {
            let line = String(decoding: bytes, as: UTF8.self)
            if let name = title("# group: ", line) {
                group = name
            } else if let name = title("# subgroup: ", line) {
                subgroup = name
            } else if !line.hasPrefix("#"), line.contains(where: { !$0.isWhitespace }) {
                let number = result.records.count + result.rejected.count + 1
                let place = LoadRecord.Place(record: number, line: position + 1)
                if let value = value(line, subgroup: subgroup) {
                    result.records.append(LoadRecord(place: place, value: value, section: group))
                } else {
                    let reason = "not of the form \"code points ; status # emoji version name\""
                    result.rejected.append(RejectedRecord(place: place, reason: reason))
                }
            }
        }
        return result
    }

    private static func title(_ prefix: String, _ line: String) -> String? {
        guard line.hasPrefix(prefix) else { return nil }
        return trim(line.dropFirst(prefix.count))
    }

    /// Takes a line apart by its scalars: a space before a skin tone is one character with it.
    private static func value(_ line: String, subgroup: String) -> JSON? {
        let scalars = line.unicodeScalars
        guard let semicolon = scalars.firstIndex(of: ";"),
            let hash = scalars[semicolon...].firstIndex(of: "#")
        else { return nil }
        let codePoints = trim(line[..<semicolon])
        let status = trim(line[scalars.index(after: semicolon)..<hash])
        let words = scalars[scalars.index(after: hash)...].split(separator: " ", maxSplits: 2)
        guard !codePoints.isEmpty, !status.isEmpty, words.count == 3 else { return nil }
        return [
            "emoji": .string(String(words[0])), "name": .string(trim(Substring(words[2]))),
            "codePoints": .string(codePoints), "status": .string(status), "since": .string(String(words[1])),
            "subgroup": .string(subgroup),
        ]
    }

    private static func trim(_ text: Substring) -> String {
        var scalars = text.unicodeScalars
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }
}
