import HTTPServer

/// Which addresses only this machine can reach.
package enum Loopback {
    /// Whether a host, as the settings name one, is a loopback address or the name of one.
    package static func contains(_ host: String) -> Bool {
        let octets = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let isIPv4Loopback = octets.count == 4 && octets[0] == 127 && !octets.contains(nil)
        return isIPv4Loopback || ["localhost", "::1", "[::1]"].contains(host.lowercased())
    }

    /// Whether a server with these settings can be reached from this machine only.
    package static func holds(_ server: ServerConfiguration) -> Bool {
        server.port == nil || contains(server.host)
    }
}
