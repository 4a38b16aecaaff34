/// A field that is sent with every call of a hook.
package struct HookHeader: Hashable, Sendable {
    /// The most fields of one hook.
    package static let maximumCount = 16
    /// The longest name, in bytes.
    package static let maximumNameLength = 128
    /// The longest value, in bytes.
    package static let maximumValueLength = 4096

    /// The name as it was written; case does not matter.
    package let name: String
    /// The value.
    package let value: String

    /// Makes a field that has been checked.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The value in its displayed form: of a credential the mask, and the last four characters if it has at least 16
    /// bytes.
    package var shown: String {
        guard isCredential else { return value }
        return HookHeader.mask + (value.utf8.count >= 16 ? value.suffix(4) : "")
    }

    static let mask = "…"

    private var isCredential: Bool {
        let name = name.lowercased()
        let words = ["auth", "cookie", "credential", "key", "password", "secret", "session", "token"]
        return words.contains { name.contains($0) }
    }
}

extension HookHeader: CustomStringConvertible {
    /// Name and value as they are shown, so that no log tells a credential.
    package var description: String {
        "\(name): \(shown)"
    }
}

extension HookHeader {
    private static let reserved: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The fault of a name; nil without one.
    ///
    /// The fields that the protocol and the signature stand on are the server's (RFC 9110, section 7.6.1; Standard
    /// Webhooks).
    static func fault(inName name: String) -> String? {
        let lowercase = name.lowercased()
        if name.isEmpty || name.utf8.count > maximumNameLength || !name.utf8.allSatisfy(isTokenByte) {
            return "a header's name has 1 to \(maximumNameLength) letters, digits and !#$%&'*+-.^_`|~"
        }
        if reserved.contains(lowercase) || lowercase.hasPrefix("webhook-") {
            return "the header \(name) is set by the server"
        }
        return nil
    }

    /// The fault of a value; nil without one.
    static func fault(inValue value: String) -> String? {
        let isFine = value.utf8.count <= maximumValueLength && value.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        return isFine ? nil : "a header's value has at most \(maximumValueLength) printable ASCII characters"
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
