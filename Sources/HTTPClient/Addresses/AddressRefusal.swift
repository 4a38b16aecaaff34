/// Judges the addresses that a client may connect to.
package protocol AddressRules: Sendable {
    /// Checks one address of a host; asked for every address that the host has, and again for each connection.
    func check(_ address: IPAddress, of host: HTTPHost) throws(AddressRefusal)
}

/// An address that is not connected to.
package struct AddressRefusal: Error, Hashable, Sendable {
    /// The host as the URL names it.
    package let host: String
    /// The address that is refused.
    package let address: IPAddress
    /// The kind of address: "a private address".
    package let kind: String
    /// The setting that could allow the address, and does not; nil without one.
    package let setting: String?

    /// Makes a refusal.
    package init(host: String, address: IPAddress, kind: String, setting: String? = nil) {
        self.host = host
        self.address = address
        self.kind = kind
        self.setting = setting
    }
}

extension AddressRefusal: CustomStringConvertible {
    /// `10.0.0.1 is a private address (hooks.allow does not name it)`, preceded by the host's name if there is one.
    package var description: String {
        let subject = host == "\(address)" ? host : "\(host) has the address \(address), which"
        let meaning = address.embedded.map { "stands for \($0), \(kind)" } ?? "is \(kind)"
        return "\(subject) \(meaning)" + (setting.map { " (\($0) does not name it)" } ?? "")
    }
}
