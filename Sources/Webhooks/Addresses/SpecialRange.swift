import HTTPClient

/// Addresses that are not an ordinary host of the internet.
///
/// IANA's registries of special-purpose addresses (RFC 6890; IPv4 and IPv6, as of 2024) in whole, including the few
/// ranges that are globally reachable, for none of them is where a webhook's receiver is; and multicast, which has
/// registries of its own.
struct SpecialRange {
    /// The addresses.
    let range: AddressRange
    /// The kind of the addresses, with an article.
    let kind: String

    private init?(_ range: String, _ kind: String) {
        guard let range = AddressRange(range) else { return nil }
        self.range = range
        self.kind = kind
    }

    /// The ranges, the first that contains an address says what it is.
    static let all: [SpecialRange] = table.compactMap { SpecialRange($0.0, $0.1) }

    /// Services that hand out credentials to whoever asks from the same machine: never meant by a wider rule.
    static let metadata: Set<IPAddress> = Set(
        [
            // Amazon, Google, Microsoft, OpenStack and others; Amazon's containers; Amazon over IPv6.
            "169.254.169.254", "169.254.170.2", "169.254.170.23", "fd00:ec2::254", "fd00:ec2::23",
            // Alibaba; Oracle; Azure's host; Google over IPv6; Scaleway.
            "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd20:ce::254", "fd00:42::42",
        ].compactMap { IPAddress($0) })

    /// The part of IPv6 that is given out to networks (RFC 4291, section 2.4); everything else is reserved.
    static let globalUnicast = AddressRange("2000::/3")

    /// Addresses of this machine, which the rule `loopback` allows.
    static let loopback = ["127.0.0.0/8", "::1/128"].compactMap { AddressRange($0) }

    static let table: [(String, String)] = [
        ("0.0.0.0/8", "an address of \"this network\""),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "a shared address of a provider's network"),
        ("127.0.0.0/8", "a loopback address"),
        ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "an address for protocol assignments"),
        ("192.0.2.0/24", "an address for documentation"),
        ("192.31.196.0/24", "an address of the AS112 project"),
        ("192.52.193.0/24", "an address for multicast relays"),
        ("192.88.99.0/24", "an address for 6to4 relays"),
        ("192.168.0.0/16", "a private address"),
        ("192.175.48.0/24", "an address of the AS112 project"),
        ("198.18.0.0/15", "an address for benchmarks"),
        ("198.51.100.0/24", "an address for documentation"),
        ("203.0.113.0/24", "an address for documentation"),
        ("224.0.0.0/4", "a multicast address"),
        ("255.255.255.255/32", "the broadcast address"),
        ("240.0.0.0/4", "a reserved address"),
        ("::/128", "the unspecified address"),
        ("::1/128", "a loopback address"),
        ("::ffff:0:0/96", "an IPv4-mapped address"),
        ("::/96", "an IPv4-compatible address"),
        ("::ffff:0:0:0/96", "an IPv4-translated address"),
        ("64:ff9b::/96", "an address for translation to IPv4"),
        ("64:ff9b:1::/48", "an address for translation to IPv4 within a network"),
        ("100::/64", "an address that discards"),
        ("100:0:0:1::/64", "an address that stands for none"),
        ("2001::/32", "a Teredo address"),
        ("2001:2::/48", "an address for benchmarks"),
        ("2001:10::/28", "an overlay identifier"),
        ("2001:20::/28", "an overlay identifier"),
        ("2001::/23", "an address for protocol assignments"),
        ("2001:db8::/32", "an address for documentation"),
        ("2002::/16", "a 6to4 address"),
        ("2620:4f:8000::/48", "an address of the AS112 project"),
        ("3fff::/20", "an address for documentation"),
        ("5f00::/16", "an address for segment routing"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", "a link-local address"),
        ("fec0::/10", "a site-local address"),
        ("ff00::/8", "a multicast address"),
    ]
}
