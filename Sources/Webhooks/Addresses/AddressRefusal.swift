/// A target inside of the network that nothing allows.
package struct AddressRefusal: Error, Hashable, Sendable {
    /// The host as the URL names it.
    package let host: String
    /// The address that is refused.
    package let address: IPAddress
    /// The kind of address: "a private address".
    package let kind: String

    /// Makes a refusal.
    package init(host: String, address: IPAddress, kind: String) {
        self.host = host
        self.address = address
        self.kind = kind
    }
}

extension AddressRefusal: CustomStringConvertible {
    /// `10.0.0.1 is a private address (hooks.allow does not name it)`, preceded by the host's name if there is one.
    package var description: String {
        let subject = host == "\(address)" ? host : "\(host) has the address \(address), which"
        let meaning = address.embedded.map { "stands for \($0), \(kind)" } ?? "is \(kind)"
        return "\(subject) \(meaning) (hooks.allow does not name it)"
    }
}
