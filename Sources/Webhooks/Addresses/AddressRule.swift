import HTTPClient

/// One entry of the setting `hooks.allow`.
package enum AddressRule: Hashable, Sendable {
    /// `loopback`: this machine, by 127.0.0.0/8 and ::1.
    case loopback
    /// `receiver.internal`: a host by its name, whatever its address.
    case name(String)
    /// `*.internal.example`: every name that ends so, not `internal.example` itself.
    case suffix(String)
    /// `10.1.0.0/16`, `10.1.2.3`, `fd00::/8`: addresses.
    case range(AddressRange)

    /// Reads an entry.
    package init(_ text: String) throws(AddressRuleError) {
        if text.lowercased() == "loopback" {
            self = .loopback
        } else if let range = AddressRange(text) {
            self = .range(range)
        } else if text.hasPrefix("*."), let name = Self.name(text.dropFirst(2)) {
            self = .suffix("." + name)
        } else if let name = Self.name(text[...]) {
            self = .name(name)
        } else {
            throw AddressRuleError(text: text)
        }
    }

    /// A name in the form that `HTTPURL` gives it; nil where no URL can have that name.
    private static func name(_ text: Substring) -> String? {
        guard case .name(let name)? = try? HTTPHost(readingURL: text) else { return nil }
        return name
    }
}

/// An entry of `hooks.allow` that cannot be read.
package struct AddressRuleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The entry.
    package let text: String

    /// Says what may stand there.
    package var description: String {
        "'\(text)' is neither a host name, nor *.suffix, nor an address, nor a range of addresses such as 10.1.0.0/16, "
            + "nor the word loopback"
    }
}
