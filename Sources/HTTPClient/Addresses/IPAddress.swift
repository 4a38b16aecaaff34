import Reactor

/// An IP address by itself, without port or zone.
package enum IPAddress: Hashable, Sendable {
    /// The 32 bits of an IPv4 address, in host byte order.
    case v4(UInt32)
    /// The upper and lower 64 bits of an IPv6 address, in host byte order.
    case v6(UInt64, UInt64)

    /// The address of one end of a connection; nil for a Unix-domain socket.
    package init?(_ address: SocketAddress) {
        switch address {
        case .ipv4(let bits, _): self = .v4(bits)
        case .ipv6(let high, let low, _, _): self = .v6(high, low)
        case .unix: return nil
        }
    }

    /// The address of a port on this machine.
    package func socketAddress(port: UInt16) -> SocketAddress {
        switch self {
        case .v4(let bits): .ipv4(bits, port: port)
        case .v6(let high, let low): .ipv6(high, low, scope: 0, port: port)
        }
    }

    /// The IPv4 address that packets to this one end up at, where an IPv6 address is only a way to write one.
    ///
    /// This applies to IPv4-mapped addresses (RFC 4291, section 2.5.5.2) and to NAT64's well-known prefix (RFC 6052).
    /// Other forms that carry an IPv4 address (compatible, 6to4, Teredo) are refused as a whole, so none is needed.
    package var embedded: IPAddress? {
        guard case .v6(let high, let low) = self else { return nil }
        let isMapped = high == 0 && low >> 32 == 0xffff
        let isTranslated = high == 0x0064_ff9b_0000_0000 && low >> 32 == 0
        return isMapped || isTranslated ? .v4(UInt32(truncatingIfNeeded: low)) : nil
    }
}

extension IPAddress: CustomStringConvertible {
    /// `192.0.2.1` or `2001:db8::1` (RFC 5952).
    package var description: String { socketAddress(port: 0).host }
}
