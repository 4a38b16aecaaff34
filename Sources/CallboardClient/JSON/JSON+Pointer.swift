extension JSON {
    /// The value that a JSON pointer (RFC 6901) names, or nil where there is none or the pointer is malformed.
    ///
    /// The empty pointer names the whole value; `/a~1b/0` the first element of the member `a/b`.
    public func value(at pointer: String) -> JSON? {
        guard !pointer.isEmpty else { return self }
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var value = self
        for token in pointer.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = JSON.unescape(Substring(token)), let next = value.child(named: name) else { return nil }
            value = next
        }
        return value
    }

    private func child(named name: String) -> JSON? {
        switch self {
        case .object(let object): return object[name]
        case .array:
            // RFC 6901, section 4: an array index has no leading zeros and no sign.
            guard let position = Int(name), String(position) == name else { return nil }
            return self[position]
        default: return nil
        }
    }

    private static func unescape(_ token: Substring) -> String? {
        guard token.unicodeScalars.contains("~") else { return String(token) }
        var name = ""
        var characters = token.unicodeScalars.makeIterator()
        while let character = characters.next() {
            guard character == "~" else {
                name.unicodeScalars.append(character)
                continue
            }
            switch characters.next() {
            case "0": name += "~"
            case "1": name += "/"
            default: return nil
            }
        }
        return name
    }
}
