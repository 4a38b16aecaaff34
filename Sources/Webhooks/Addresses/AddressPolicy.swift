import HTTPClient
import Notation

/// Which addresses webhooks may go to: everything on the internet, and what the setting `hooks.allow` names.
///
/// A client that registers a hook makes this server send requests, which must not reach addresses that only this server
/// can reach. So the policy judges addresses, not names, and each of them every time: the results of a look-up, and the
/// address of each connection.
package struct AddressPolicy: AddressRules {
    private let names: Set<Name>
    private let suffixes: [String]
    private let ranges: [AddressRange]

    /// Makes a policy with the rules of `hooks.allow`. None allows no more than the internet.
    package init(allowing rules: [AddressRule] = []) {
        var (names, suffixes, ranges): (Set<Name>, [String], [AddressRange]) = ([], [], [])
        for rule in rules {
            switch rule {
            case .loopback: ranges += SpecialRange.loopback
            case .name(let name): names.insert(Name(name))
            case .suffix(let suffix): suffixes.append(suffix)
            case .range(let range): ranges.append(range)
            }
        }
        self.names = names
        self.suffixes = suffixes
        self.ranges = ranges
    }

    /// Checks one address of a host; to be asked for every address that the host has.
    ///
    /// A rule for a range counts for the address itself and for the IPv4 address that it stands for; a rule for a name
    /// for every address of that name. An address of a metadata service is allowed by a rule for it alone. O(rules).
    package func check(_ address: IPAddress, of host: HTTPHost) throws(AddressRefusal) {
        guard let kind = Self.kind(of: address) else { return }
        let meant = address.embedded ?? address
        let isNamed: Bool
        if SpecialRange.metadata.contains(meant) {
            isNamed = ranges.contains { $0.isOne(meant) || $0.isOne(address) }
        } else {
            isNamed = isAllowed(host) || ranges.contains { $0.contains(address) || $0.contains(meant) }
        }
        guard isNamed else {
            throw AddressRefusal(host: "\(host)", address: address, kind: kind, setting: "hooks.allow")
        }
    }

    /// Checks the address that a URL names by itself, for the moment a hook is registered; a name passes.
    package func check(_ url: HTTPURL) throws(AddressRefusal) {
        guard case .address(let address) = url.target.host else { return }
        try check(address, of: url.target.host)
    }

    /// The kind of address, with an article; nil for an ordinary one.
    package static func kind(of address: IPAddress) -> String? {
        if let embedded = address.embedded { return kind(of: embedded) }
        if SpecialRange.metadata.contains(address) { return "the address of a metadata service" }
        if let special = SpecialRange.all.first(where: { $0.range.contains(address) }) { return special.kind }
        guard case .v6 = address, SpecialRange.globalUnicast?.contains(address) != true else { return nil }
        return "a reserved address"
    }

    private func isAllowed(_ host: HTTPHost) -> Bool {
        guard case .name(let name) = host else { return false }
        return names.contains(name) || suffixes.contains { name.hasSuffix($0) }
    }
}
