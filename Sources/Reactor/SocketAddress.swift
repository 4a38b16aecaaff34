import CLinux
import Glibc

/// The address of one end of a stream socket, in a compact form that costs no allocation.
package enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IPv4 address (the number in host byte order) and port.
    case ipv4(UInt32, port: UInt16)
    /// An IPv6 address (its upper and lower 64 bits in host byte order), scope and port.
    case ipv6(UInt64, UInt64, scope: UInt32, port: UInt16)
    /// A Unix-domain socket; the path is empty for a client's end.
    case unix(path: String)

    /// The port, or nil for a Unix-domain socket.
    package var port: UInt16? {
        switch self {
        case .ipv4(_, let port), .ipv6(_, _, _, let port): port
        case .unix: nil
        }
    }

    /// The same address with another port; a Unix-domain one is unchanged.
    package func with(port: UInt16) -> SocketAddress {
        switch self {
        case .ipv4(let address, _): .ipv4(address, port: port)
        case .ipv6(let high, let low, let scope, _): .ipv6(high, low, scope: scope, port: port)
        case .unix: self
        }
    }

    /// The address without port: `127.0.0.1`, `::1` (RFC 5952), or `unix`.
    package var host: String {
        switch self {
        case .ipv4(let address, _):
            return "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
        case .ipv6(let high, let low, _, _):
            return Self.text(ofGroups: Self.groups(high, low))
        case .unix(let path):
            return path.isEmpty ? "unix" : "unix:\(path)"
        }
    }

    /// The address as it stands in a URL: `127.0.0.1:8080`, `[::1]:8080`, `unix:/run/callboard.sock`.
    package var description: String {
        switch self {
        case .ipv4(_, let port): "\(host):\(port)"
        case .ipv6(_, _, _, let port): "[\(host)]:\(port)"
        case .unix: host
        }
    }

    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    private static func groups(_ high: UInt64, _ low: UInt64) -> [UInt16] {
        [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> UInt64($0)) } }
    }

    /// RFC 5952: lower case, no leading zeros, the longest run of two or more zero groups (the first of equals) as `::`.
    private static func text(ofGroups groups: [UInt16]) -> String {
        var best = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > max(1, best.count) { best = start..<index }
            start = index + 1
        }
        func hex(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        return best.isEmpty
            ? hex(groups[...]) : hex(groups[..<best.lowerBound]) + "::" + hex(groups[best.upperBound...])
    }
}
