import Notation
import Reactor

/// Which hosts a request may name (`server.allowedHosts`).
///
/// A page on any site can point a name of its own at the loopback address and then read what answers there (DNS
/// rebinding); its requests still carry that name. A server on a loopback address therefore answers for loopback
/// numbers and `localhost` only, unless other names are listed.
struct HostPolicy: Sendable {
    private let allowsAny: Bool
    private let names: Set<Name>
    private let isListed: Bool

    /// Makes the policy of a configuration.
    init(_ configuration: APIConfiguration) {
        let listed = configuration.listedHosts
        isListed = !listed.isEmpty
        let isOpen = configuration.allowsAutomaticHosts && !Loopback.holds(configuration.server)
        allowsAny = listed.contains("*") || isOpen
        names = Set(texts: listed.map { Self.name(of: $0) })
    }

    /// Whether requests for this authority are answered.
    ///
    /// A request without one is answered: browsers always send Host. So is one over a Unix-domain socket while nothing
    /// is listed, since no page can reach it.
    ///
    /// - Complexity: O(1) for any host, and for loopback numbers and `localhost` as nearly every client writes them.
    func serves(_ authority: String?, from peer: SocketAddress) -> Bool {
        guard !allowsAny, let authority, !authority.isEmpty else { return true }
        if Self.isLoopback(authority) || names.contains(Self.name(of: authority)) { return true }
        if case .unix = peer { return !isListed }
        return false
    }

    /// Refuses a request for another host: 421 (RFC 9110, section 15.5.20).
    static func refusal(of authority: String?) -> Problem {
        let host = authority.map { name(of: $0) } ?? ""
        return Problem(
            .hostNotServed,
            "The request is for the host \(host.quoted), which is not served here. If the server is to be reached "
                + "under this name, add it to the setting server.allowedHosts.")
    }

    /// Whether an authority names this machine: a loopback number, `localhost`, or a name below it.
    ///
    /// - Complexity: as ``serves(_:from:)``.
    static func isLoopback(_ authority: String) -> Bool {
        if isPlainLoopback(authority) { return true }
        let name = name(of: authority)
        return Loopback.contains(name) || name.hasSuffix(".localhost")
    }

    /// `127.0.0.1` or `localhost`, with a port or without.
    private static func isPlainLoopback(_ authority: String) -> Bool {
        // Both names have nine bytes.
        let bytes = authority.utf8.span
        guard bytes.count == 9 || bytes.count > 9 && bytes[9] == UInt8(ascii: ":") else { return false }
        return bytes.begins(with: "127.0.0.1") || bytes.begins(with: "localhost")
    }

    /// The host of an authority: without its port, in lower case, without the root's dot.
    private static func name(of authority: String) -> String {
        var host = authority[...]
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            host = host[...end]
        } else if let colon = host.lastIndex(of: ":"), host.firstIndex(of: ":") == colon {
            host = host[..<colon]
        }
        if host.hasSuffix("."), host.count > 1 { host.removeLast() }
        return String(host).lowercasedASCII
    }
}

extension APIConfiguration {
    /// The word in `allowedHosts` that stands for loopback names on a loopback address, and for any host elsewhere.
    package static let automaticHosts = "auto"

    /// The hosts that `allowedHosts` names.
    var listedHosts: [String] {
        // An empty variable of the environment is one empty text, and means nothing at all.
        allowedHosts.filter { !$0.isEmpty && $0 != Self.automaticHosts }
    }

    /// Whether what `allowedHosts` does not name is left to the address that the server listens on.
    var allowsAutomaticHosts: Bool {
        listedHosts.isEmpty || allowedHosts.contains(Self.automaticHosts)
    }

    /// Whether only this machine can reach the server: it listens on a loopback address, and no name is listed, under
    /// which a proxy could make it known to others.
    package var isLocal: Bool {
        Loopback.holds(server) && listedHosts.isEmpty
    }
}

extension Span<UInt8> {
    /// Whether its first bytes are those of a text, which is not longer.
    fileprivate func begins(with text: String) -> Bool {
        let bytes = text.utf8.span
        for index in bytes.indices where self[index] != bytes[index] { return false }
        return true
    }
}
