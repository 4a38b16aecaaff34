/// The head of an answer, as libcurl tells it line by line.
struct AnswerHead {
    private(set) var status = 0
    /// The header fields, their names in lower case, the values of repeated ones joined.
    private(set) var fields: [String: String] = [:]
    private let skipsRedirects: Bool
    private var isWhole = false

    /// Makes the head of an answer of which nothing has come.
    init(skippingRedirects skipsRedirects: Bool = true) {
        self.skipsRedirects = skipsRedirects
    }

    /// Adds a line; true where it ends the head that the caller is to get.
    ///
    /// Heads before that one are skipped: those of informational answers (RFC 9110, section 15.2) and of redirects,
    /// where libcurl follows them. So are trailers after it.
    mutating func add(_ line: some StringProtocol) -> Bool {
        guard !isWhole else { return false }
        let line = line.withoutBlanks
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            fields = [:]
        } else if line.isEmpty {
            let isRedirect = skipsRedirects && (300..<400).contains(status) && fields["location"] != nil
            isWhole = status >= 200 && !isRedirect
            return isWhole
        } else if let colon = line.firstIndex(of: ":") {
            let value = String(line[line.index(after: colon)...].withoutBlanks)
            let name = line[..<colon].lowercased()
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        return false
    }
}

extension StringProtocol {
    /// The text without the blanks and line ends around it.
    fileprivate var withoutBlanks: SubSequence {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return self[endIndex...] }
        return self[...last].drop { $0.isWhitespace }
    }
}
