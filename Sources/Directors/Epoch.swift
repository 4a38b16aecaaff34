/// The name of one life of a director: deleting and creating it again gives another.
package enum Epoch {
    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    /// Ten random digits and small letters: 51 bits, so that two lives of one name do not meet.
    package static func random() -> String {
        String(decoding: (0..<10).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }, as: UTF8.self)
    }

    /// True for what ``random()`` could have made or a future server might: it never holds `-` or `.`.
    package static func isWellFormed(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= 32 && text.utf8.allSatisfy(alphabet.contains)
    }
}
