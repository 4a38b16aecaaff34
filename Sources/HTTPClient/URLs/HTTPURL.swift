/// An address that requests go to: absolute, `http` or `https`, without user information and fragment.
///
/// Two readers of URLs that disagree about the host are how requests end up inside a network. So this takes a narrow
/// grammar only, and `text` is written anew from what was understood: the name in lower case, numbers as addresses,
/// the port where it is not the scheme's. Equal URLs have equal texts.
package struct HTTPURL: Hashable, Sendable {
    /// The longest URL that is taken, in bytes.
    package static let maxLength = 2048

    /// The server it leads to.
    package let target: HTTPTarget
    /// Path and query, beginning with `/`, as they were given.
    package let path: String

    /// Reads a URL.
    ///
    /// A name that ends in a number has to be an IPv4 address in one of `inet_aton`'s spellings, as browsers see it.
    /// A dot at the end of a name is dropped. International names have to be written in their ASCII form (`xn--…`).
    package init(_ text: String) throws(HTTPURLError) {
        guard text.utf8.count <= Self.maxLength else { throw .tooLong }
        try Self.checkCharacters(text)
        guard let colon = text.firstRange(of: "://") else { throw .notAbsolute }
        let isSecure: Bool
        switch text[..<colon.lowerBound].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: throw .scheme
        }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard !rest[end...].contains("#") else { throw .fragment }
        let authority = rest[..<end]
        guard !authority.contains("@") else { throw .userInformation }
        let (host, port) = try Self.split(authority)
        target = HTTPTarget(
            isSecure: isSecure, host: try HTTPHost(readingURL: host), port: port ?? (isSecure ? 443 : 80))
        path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
    }

    /// The URL in the one form that it has here.
    package var text: String { "\(target)\(path)" }

    /// Only what RFC 3986 allows in a URL, and `%` only before two hexadecimal digits.
    private static func checkCharacters(_ text: String) throws(HTTPURLError) {
        let allowed = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            guard byte.isDigit || byte.isLetter || allowed.contains(byte) else {
                throw .character(text.unicodeScalars.first { !$0.isASCII || $0.value == UInt32(byte) })
            }
            guard byte == UInt8(ascii: "%") else { continue }
            guard bytes.dropFirst(index + 1).prefix(2).filter({ $0.hexadecimalDigit != nil }).count == 2 else {
                throw .character("%")
            }
        }
    }

    private static func split(_ authority: Substring) throws(HTTPURLError) -> (host: Substring, port: UInt16?) {
        let hostEnd: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw .host(String(authority)) }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let (host, rest) = (authority[..<hostEnd], authority[hostEnd...])
        if rest.isEmpty || rest == ":" { return (host, nil) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isDigit),
            let port = UInt16(digits), port != 0
        else { throw .port }
        return (host, port)
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL's text.
    package var description: String { text }
}

extension HTTPHost {
    /// Reads the host of a URL, as it stands there.
    package init(readingURL text: Substring) throws(HTTPURLError) {
        if text.hasPrefix("[") {
            guard case .v6(let high, let low)? = IPAddress(text.dropFirst().dropLast()) else {
                throw .host(String(text))
            }
            self = .address(.v6(high, low))
            return
        }
        let name = text.hasSuffix(".") ? text.dropLast() : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if let last = labels.last, last.isNumber {
            guard let address = IPAddress(anySpelling: name) else { throw .host(String(text)) }
            self = .address(address)
            return
        }
        guard name.utf8.count <= 253, labels.allSatisfy(\.isLabel) else { throw .host(String(text)) }
        self = .name(name.lowercased())
    }
}

extension Substring {
    /// Whether a reader of numbers would take it for one: digits, or `0x` and hexadecimal digits.
    fileprivate var isNumber: Bool {
        if !isEmpty, utf8.allSatisfy(\.isDigit) { return true }
        return (hasPrefix("0x") || hasPrefix("0X")) && utf8.dropFirst(2).allSatisfy { $0.hexadecimalDigit != nil }
    }

    /// A part of a name: letters, digits and hyphens, and underscores, which services in containers have.
    fileprivate var isLabel: Bool {
        (1...63).contains(utf8.count)
            && utf8.allSatisfy { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
