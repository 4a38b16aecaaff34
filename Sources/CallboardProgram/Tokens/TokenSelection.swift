import Access

/// The tokens that arguments name by their identifiers.
struct TokenSelection {
    private var ids: [String] = []

    /// Takes the arguments of a command.
    ///
    /// - Throws: ``ProgramError`` for a text that is no identifier; the text may be a secret, so the message does not
    ///   repeat it.
    init(_ arguments: [String]) throws {
        for (index, argument) in arguments.enumerated() {
            guard argument.wholeMatch(of: /tok_[0-9a-f]{16}/) != nil else {
                let isText = argument.hasPrefix(StaticToken.prefix)
                let what = isText ? "the text of a token and not its id" : "no token's id, which is tok_ and 16 digits"
                throw ProgramError(
                    "argument \(index + 1) is \(what)",
                    advice: "\"callboard token list\" shows the ids; nothing was revoked", status: .usage)
            }
            if !ids.contains(argument) { ids.append(argument) }
        }
    }

    /// The tokens, in the order of the arguments.
    ///
    /// - Throws: ``ProgramError`` where one of them is not there.
    func entries(among entries: [TokenEntry], in folder: String) throws -> [TokenEntry] {
        let book = TokenBook(entries)
        let unknown = ids.filter { book[id: $0] == nil }
        guard unknown.isEmpty else {
            throw ProgramError(
                "\"\(folder)\" has no token \(unknown.joined(separator: ", "))",
                advice: "\"callboard token list\" shows the ids; nothing was revoked", status: .noInput)
        }
        return ids.compactMap { book[id: $0] }
    }
}
