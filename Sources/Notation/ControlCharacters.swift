extension String {
    /// Whether the text has a control character (Unicode's category Cc, U+0000 to U+001F and U+007F to U+009F).
    ///
    /// None belongs into a name that is shown to people: it would move a terminal's cursor, or end a line of a log.
    ///
    /// - Complexity: O(characters).
    package var hasControlCharacters: Bool {
        Name.hasControls(self)
    }
}
