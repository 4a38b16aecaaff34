/// Texts that a store could change: with a zero, with controls, equal to each other but for their bytes, long.
package enum StoredTexts {
    /// All of them, each once by its bytes.
    package static let all = [
        "plain", "\0", "a\0b", "a\0", "\0\0\0", "\u{1}\t\n\r\u{1B}[31m\u{7F}\u{9F}", "caf\u{E9}", "cafe\u{301}",
        "\u{212A}", "K",
        "\u{FEFF}", "\u{FFFF}", "\u{10FFFE}", "\u{10FFFE}0", "\u{10FFFE}1\0", "\u{10FFFF}", "'; DROP TABLE tokens; --",
        "\\0 %00 \u{2400}",
        String(repeating: "\u{1F373}\0", count: 50_000),
    ]
}
