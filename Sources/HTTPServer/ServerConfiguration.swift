import HTTP2Engine
import HTTPWire

/// The users that may connect to a Unix-domain socket.
package enum UnixSocketAccess: String, Sendable, CaseIterable {
    /// Processes of the server's user.
    case owner
    /// Those of its group too.
    case group
    /// Every process of the machine.
    case all

    /// The permissions of the socket's file; connecting needs the one to write.
    package var mode: UInt32 {
        switch self {
        case .owner: 0o600
        case .group: 0o660
        case .all: 0o666
        }
    }
}

/// The settings of a server.
package struct ServerConfiguration: Sendable {
    /// A number or a name; empty or `*` is every address of the machine, IPv6 and IPv4.
    package var host: String
    /// The TCP port; 0 takes a free one. Nil for none, if there is a Unix-domain socket.
    package var port: UInt16?
    /// The path of a Unix-domain socket, beside the TCP port or instead of it. A file that nobody listens on is replaced.
    package var unixSocketPath: String?
    /// The users that may connect to that socket.
    package var unixSocketAccess = UnixSocketAccess.owner
    /// The TLS settings of the TCP port; nil for cleartext. A Unix-domain socket is never encrypted.
    package var tls: ServerCertificates?
    /// Whether a client may begin with HTTP/2 on a port without TLS, as it knows beforehand (RFC 9113, section 3.3).
    package var allowsCleartextHTTP2 = false
    /// The bounds of an HTTP/2 connection.
    package var http2 = HTTP2Limits()
    /// Connections open at the same time, over all loops; one more is answered 503 and closed.
    package var maxConnections = 20_000
    /// How many connections may wait to be accepted, for each listener.
    package var backlog: Int32 = 1024
    /// Sizes that a request may have.
    package var limits = WireLimits()
    /// From the first byte of a request, or from the connection's opening, to the end of the head; then 408.
    package var headTimeout: Duration = .seconds(10)
    /// How long a body may make no progress; then 408. Progress is 16 KiB, so that a byte now and then is none.
    package var bodyTimeout: Duration = .seconds(30)
    /// From one answer to the first byte of the next request; then the connection is closed.
    package var keepAliveTimeout: Duration = .seconds(75)
    /// How long a client may take nothing of what is waiting for it; then the connection is cut.
    package var writeStallTimeout: Duration = .seconds(30)
    /// How long a closing connection waits for the client to have read its last answer; it begins anew while the client sends,
    /// up to `bodyTimeout`.
    package var lingerTimeout: Duration = .seconds(2)
    /// How long `shutdown` waits for requests and streams to end by themselves.
    package var shutdownDeadline: Duration = .seconds(10)
    /// How long a listener rests when there is no descriptor left for a connection.
    package var acceptPause: Duration = .milliseconds(200)
    /// Bytes of unfinished requests and unsent answers that all connections may keep together; beyond it, requests are
    /// answered 503 and streams that lag are ended. Never less than one request of the largest size.
    package var maxBufferedBytes = 256 << 20
    /// Bytes that a client may send during a streamed answer, where they are thrown away; more, and it is cut off.
    package var maxIgnoredDuringStream = 64 * 1024

    /// Makes settings with the defaults above.
    package init(host: String = "127.0.0.1", port: UInt16? = 8080, unixSocketPath: String? = nil) {
        self.host = host
        self.port = port
        self.unixSocketPath = unixSocketPath
    }
}
