/// The address of a hook's target: absolute, `http` or `https`, with a host, without user information and fragment.
///
/// Whether the network allows it is not for here to say. The syntax is taken narrowly (RFC 3986), so that no two readers
/// of one address can find different hosts in it: no spaces, no backslashes, no percent signs in the host.
package struct HookURL: Hashable, Sendable {
    /// The longest address, in bytes.
    package static let maximumLength = 2048

    /// The schemes that there are.
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// HTTP over TCP.
        case http
        /// HTTP over TLS.
        case https

        /// The port where an address says none.
        package var defaultPort: Int {
            self == .http ? 80 : 443
        }
    }

    /// The address as it was written.
    package let text: String
    /// The scheme.
    package let scheme: Scheme
    /// The host in small letters: a name, an IPv4 address, or an IPv6 address without its brackets.
    package let host: String
    /// Whether the host is an IPv6 address, which is written in brackets.
    package let isIPv6: Bool
    /// The port, that of the scheme where none was written.
    package let port: Int

    /// Reads an address.
    ///
    /// - Throws: What is wrong with it, in words.
    package init(parsing text: String) throws(HookURLFault) {
        guard text.utf8.count <= HookURL.maximumLength else {
            throw HookURLFault("an address has at most \(HookURL.maximumLength) bytes")
        }
        guard text.utf8.allSatisfy(HookURL.isAllowed) else {
            throw HookURLFault("an address has no spaces, quotes, backslashes and no letters beyond ASCII; encode them")
        }
        guard let end = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased())
        else { throw HookURLFault("expected an absolute address that begins with http:// or https://") }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw HookURLFault("an address of a hook has no fragment") }
        let rest = text[end.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw HookURLFault("an address of a hook has no user information; use headers")
        }
        let (host, port) = try HookURL.split(authority)
        self.text = text
        self.scheme = scheme
        self.isIPv6 = host.contains(":")
        self.host = host.lowercased()
        self.port = port ?? scheme.defaultPort
    }
}

/// What is wrong with an address.
package struct HookURLFault: Error, Hashable, Sendable {
    /// The fault in words.
    package let detail: String

    init(_ detail: String) {
        self.detail = detail
    }
}

extension HookURL {
    /// Splits the authority (RFC 3986, section 3.2).
    private static func split(_ authority: Substring) throws(HookURLFault) -> (host: String, port: Int?) {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw HookURLFault("the IPv6 address does not end") }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            guard host.contains(":"), host.utf8.allSatisfy(isIPv6Byte) else {
                throw HookURLFault("an IPv6 address has hexadecimal digits, colons and points only")
            }
            return (String(host), try port(authority[authority.index(after: end)...]))
        }
        let host = authority.prefix { $0 != ":" }
        guard !host.isEmpty else { throw HookURLFault("an address needs a host") }
        guard host.utf8.count <= 253, host.utf8.allSatisfy(isNameByte) else {
            throw HookURLFault("a host has letters, digits, points, hyphens and underscores only")
        }
        return (String(host), try port(authority[host.endIndex...]))
    }

    /// The port behind a host, with its colon; nil where there is none.
    private static func port(_ text: Substring) throws(HookURLFault) -> Int? {
        guard let colon = text.first else { return nil }
        let digits = text.dropFirst()
        guard colon == ":", digits.utf8.count <= 5, digits.utf8.allSatisfy({ isDigit($0) }), let port = Int(digits),
            1...65535 ~= port
        else { throw HookURLFault("a port is a number from 1 to 65535") }
        return port
    }

    /// Whether a byte may stand in an address: those of RFC 3986, section 2.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        0x21...0x7E ~= byte && !#""<>\^`{|}"#.utf8.contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || "-._".utf8.contains(byte)
    }

    private static func isIPv6Byte(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20 || ":.".utf8.contains(byte)
    }
}

extension HookURL: CustomStringConvertible {
    /// The address as it was written.
    package var description: String {
        text
    }
}
