import Access
import JSONValues

/// Tokens as lines and as JSON; nothing of it is secret but the text that ``made(_:text:)`` is given.
enum TokenText {
    /// A table with a heading, or a sentence where there is nothing to show.
    static func table(_ entries: [TokenEntry], now: Int) -> [String] {
        guard !entries.isEmpty else { return ["no tokens; make one with \"callboard token create\""] }
        let heading = ["ID", "NAME", "GRANTS", "CREATED", "EXPIRES", "LAST USED"]
        let rows = entries.map { entry in
            [
                TextWidth.printable(entry.id), TextWidth.printable(entry.name), short(entry.grants),
                TokenTime.text(entry.createdAt), end(of: entry, now: now),
                entry.lastUsedAt.map(TokenTime.text) ?? "never",
            ]
        }
        let table = [heading] + rows
        let widths = heading.indices.map { column in table.map { TextWidth.columns(of: $0[column]) }.max() ?? 0 }
        return table.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - TextWidth.columns(of: cell))
            }
            // The last column needs no padding.
            return (cells.dropLast() + row.suffix(1)).joined(separator: "  ")
        }
    }

    /// When a token ends, in words.
    private static func end(of entry: TokenEntry, now: Int) -> String {
        guard let end = entry.expiresAt else { return "never" }
        return TokenTime.text(end) + (end <= now ? " (expired)" : "")
    }

    /// Grants in a few words: `read,report menu-* bar; operate`.
    static func short(_ grants: Grants) -> String {
        guard !grants.list.isEmpty else { return "nothing" }
        return grants.list.map { grant in
            guard grant != .everything else { return "all *" }
            let rights = grant.rights.sorted.map(\.rawValue).joined(separator: ",")
            return ([rights] + grant.directors.map { TextWidth.printable($0.description) }).joined(separator: " ")
        }.joined(separator: "; ")
    }

    /// A token as a JSON object on one line.
    static func json(_ entry: TokenEntry) -> String {
        json(entry) { writer in
            writer.member("createdAt", TokenTime.text(entry.createdAt))
            if let end = entry.expiresAt { writer.member("expiresAt", TokenTime.text(end)) }
            if let used = entry.lastUsedAt { writer.member("lastUsedAt", TokenTime.text(used)) }
        }
    }

    /// A token that was just made, with its text, as a JSON object on one line.
    static func made(_ entry: TokenEntry, text: String) -> String {
        json(entry, text: text) { writer in
            if let end = entry.expiresAt { writer.member("expiresAt", TokenTime.text(end)) }
        }
    }

    private static func json(
        _ entry: TokenEntry, text: String? = nil, _ others: (inout JSONWriter) -> Void
    ) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", entry.id)
            writer.member("name", entry.name)
            if let text { writer.member("token", text) }
            writer.key("grants")
            entry.grants.encode(to: &writer)
            others(&writer)
        }
        return TextWidth.escaped(String(decoding: writer.bytes, as: UTF8.self))
    }
}
