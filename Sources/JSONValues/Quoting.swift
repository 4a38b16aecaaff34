extension StringProtocol {
    /// The text in double quotes as it was written, cut at 200 bytes: how an error shows what a request has sent.
    ///
    /// - Complexity: O(1) in the length of a text that is cut.
    package var quoted: String {
        "\"\(cut(toBytes: 200))\""
    }

    /// The beginning of the text that is no longer than so many bytes, ending between characters; `…` stands for the rest.
    package func cut(toBytes limit: Int) -> String {
        let beginning = Array(utf8.prefix(limit + 1))
        guard beginning.count > limit else { return String(self) }
        var count = limit
        // A byte that continues a character (RFC 3629, section 3) cannot begin what is left out.
        while count > 0, beginning[count] & 0xC0 == 0x80 { count -= 1 }
        return String(decoding: beginning[..<count], as: UTF8.self) + "…"
    }
}
