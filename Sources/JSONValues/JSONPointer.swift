/// A way from a value to one inside it (RFC 6901).
package struct JSONPointer: Sendable {
    /// The tokens from the outermost inwards, their escapes resolved; none for the whole value.
    package let tokens: [String]

    /// Makes a pointer of tokens that are not escaped.
    package init(tokens: [String]) {
        self.tokens = tokens
    }

    /// The bytes of the tokens, with the separators in front of them; escapes are not counted.
    package var length: Int {
        tokens.reduce(0) { $0 + 1 + $1.utf8.count }
    }

    /// Reads a pointer such as `/name/first` or `/tags/0`; the empty text is the whole value.
    ///
    /// Returns nil where a text that is not empty does not begin with `/`, or a `~` is followed by neither `0` nor `1`.
    package init?(parsing text: String) {
        guard !text.isEmpty else {
            self.init(tokens: [])
            return
        }
        let utf8 = Array(text.utf8)
        guard utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [String] = []
        for part in utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let token = JSONPointer.unescape(part) else { return nil }
            tokens.append(token)
        }
        self.init(tokens: tokens)
    }

    private static func unescape(_ part: ArraySlice<UInt8>) -> String? {
        guard part.contains(UInt8(ascii: "~")) else { return String(decoding: part, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The pointer of the innermost enclosing value that is no longer than 1,000 bytes, for an error: names of members
    /// come from requests, and may be as long as these.
    ///
    /// - Complexity: O(1) in the length of a pointer that is cut.
    package static func bounded(_ pointer: String) -> String {
        let bytes = pointer.utf8
        guard let end = bytes.index(bytes.startIndex, offsetBy: 1001, limitedBy: bytes.endIndex) else { return pointer }
        guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(pointer[..<slash])
    }

    /// The position in an array that a token stands for; nil for other names.
    static func position(_ token: String) -> Int? {
        let isPlain = token.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard isPlain, token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
        return Int(token)
    }

    /// A token as it is written in a pointer.
    package static func escape(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        var escaped = ""
        for scalar in token.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension JSONPointer: Hashable {
    /// Compares token by token, scalar by scalar.
    package static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.elementsEqual(right.tokens) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Feeds the tokens.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(tokens)
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as RFC 6901 writes it.
    package var description: String {
        tokens.map { "/" + JSONPointer.escape($0) }.joined()
    }
}

extension JSONNode {
    /// The value that a pointer leads to, nil where there is none.
    ///
    /// - Complexity: O(*c*) in the number of children passed on the way.
    package func node(at pointer: JSONPointer) -> JSONNode? {
        var node = self
        for token in pointer.tokens {
            guard let child = node.child(token) else { return nil }
            node = child
        }
        return node
    }

    private func child(_ token: String) -> JSONNode? {
        switch kind {
        case .object: return self[token]
        case .array:
            guard let position = JSONPointer.position(token) else { return nil }
            for (index, element) in elements.enumerated() where index == position {
                return element
            }
            return nil
        default: return nil
        }
    }

    /// The way from the document's value to this one.
    ///
    /// - Complexity: O(*c*) in the number of children passed on the way; it is meant for error messages.
    package var pointer: JSONPointer {
        var tokens: [String] = []
        var node = JSONNode(tape: tape, index: 0)
        while node.index != index {
            guard let (token, child) = node.step(towards: index) else { break }
            tokens.append(token)
            node = child
        }
        return JSONPointer(tokens: tokens)
    }

    private func step(towards target: Int) -> (String, JSONNode)? {
        for member in members where target < Int(member.value.entry.next) {
            return (member.name, member.value)
        }
        for (position, element) in elements.enumerated() where target < Int(element.entry.next) {
            return (String(position), element)
        }
        return nil
    }
}
