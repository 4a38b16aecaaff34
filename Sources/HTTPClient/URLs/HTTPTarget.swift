/// The server that a URL leads to: scheme, host and port. Bounds and reuse apply to each target by itself.
package struct HTTPTarget: Hashable, Sendable {
    /// Whether it is spoken to over TLS (`https`).
    package let isSecure: Bool
    /// A name or an address.
    package let host: HTTPHost
    /// The port, that of the scheme where the URL names none.
    package let port: UInt16

    /// Names a server.
    package init(isSecure: Bool, host: HTTPHost, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// Whether the port is the one that the scheme has by itself.
    var hasDefaultPort: Bool { port == (isSecure ? 443 : 80) }
}

extension HTTPTarget: CustomStringConvertible {
    /// As an origin is written (RFC 6454): `https://example.com`, `http://[::1]:8080`.
    package var description: String {
        "\(isSecure ? "https" : "http")://\(host.authority)\(hasDefaultPort ? "" : ":\(port)")"
    }
}

/// The host of a URL: a name that is to be looked up, or an address.
package enum HTTPHost: Hashable, Sendable {
    /// A name in lower case, without a dot at its end.
    case name(String)
    /// An address, in whatever way the URL spelt it.
    case address(IPAddress)

    /// As it stands in a URL: an IPv6 address in brackets.
    package var authority: String {
        switch self {
        case .name(let name): name
        case .address(.v4(let bits)): "\(IPAddress.v4(bits))"
        case .address(let address): "[\(address)]"
        }
    }
}

extension HTTPHost: CustomStringConvertible {
    /// The name or the address.
    package var description: String {
        switch self {
        case .name(let name): name
        case .address(let address): "\(address)"
        }
    }
}
