import Dispatch
import Foundation
import Synchronization

/// Finds out whether nobody listens at a node's address any more, on a thread of its own.
final class PortProbe: Sendable {
    private let queue = DispatchQueue(label: "callboard.journal.probe", qos: .userInitiated)
    /// The nodes that are being tried.
    private let underway = Mutex<Set<Int>>([])

    /// Tries to connect to a node, unless that is being tried.
    ///
    /// - Parameters:
    ///   - limit: How long a connection may take to be made or refused.
    ///   - refused: Called, on the probe's thread, if every address of the host refuses the connection, and only then: a host
    ///     that does not answer may be cut off, and a process that stands still accepts.
    func start(_ node: Int, at url: String, within limit: Duration, refused: @escaping @Sendable () -> Void) {
        guard underway.withLock({ $0.insert(node).inserted }) else { return }
        queue.async { [self] in
            if Self.refuses(url, within: limit) { refused() }
            underway.withLock { _ = $0.remove(node) }
        }
    }

    private static func refuses(_ url: String, within limit: Duration) -> Bool {
        guard let parts = URLComponents(string: url), let host = parts.host else { return false }
        let port = parts.port ?? (parts.scheme == "https" ? 443 : 80)
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let name = host.trimmingCharacters(in: ["[", "]"])
        guard getaddrinfo(name, String(port), &hints, &list) == 0, let first = list else { return false }
        defer { freeaddrinfo(first) }
        let end = ContinuousClock.now + limit
        var next: UnsafeMutablePointer<addrinfo>? = first
        // SAFETY: the system's list lives until it is freed, and ends with a null pointer.
        while let address = next {
            guard refuses(address.pointee, until: end) else { return false }
            next = address.pointee.ai_next
        }
        return true
    }

    private static func refuses(_ address: addrinfo, until end: ContinuousClock.Instant) -> Bool {
        let type = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = socket(address.ai_family, type, address.ai_protocol)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return false }
        guard errno == EINPROGRESS else { return errno == ECONNREFUSED }
        guard Connection.wait(socket, for: Int16(POLLOUT), until: end) != 0 else { return false }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout.size(ofValue: error))
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == ECONNREFUSED
    }
}
