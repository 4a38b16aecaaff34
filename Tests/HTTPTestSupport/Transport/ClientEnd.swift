import COpenSSL
import Glibc

/// A client's end of a connection on a blocking socket: bytes of HTTP/1.1 in both directions. One thread at a time.
package protocol ClientEnd: AnyObject {
    /// Whether the server lets the client in and does not close at once; a handshake is made here.
    var isOpen: Bool { get }

    /// Bytes that were sent, as the server counts what it receives: without those that are TLS's own.
    var sentCount: Int { get }

    /// What the client found wrong with what it was given, by the server or by the test; nil where nothing was.
    var fault: String? { get }

    /// Sends everything; false where the server takes no more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool

    /// Receives once; nothing at the end, and less where the connection has failed, which `errno` tells of.
    func receive(into chunk: inout [UInt8]) -> Int

    /// Says that nothing more is sent.
    func finishSending()

    /// Gives up the request that is being written, as only HTTP/2 can: with RST_STREAM.
    func abandonRequest()
}

extension ClientEnd {
    package func abandonRequest() {}
}

/// An end of a connection in the clear.
package final class PlainClientEnd: ClientEnd {
    private let socket: Int32
    package private(set) var sentCount = 0
    package var isOpen: Bool { true }
    package var fault: String? { nil }

    /// Uses a socket that is connected, and does not own it.
    package init(on socket: Int32) {
        self.socket = socket
    }

    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
            sentCount += count
        }
        return true
    }

    package func receive(into chunk: inout [UInt8]) -> Int { recv(socket, &chunk, chunk.count, 0) }

    package func finishSending() { shutdown(socket, Int32(SHUT_WR)) }
}

/// An end of TLS. It trusts any server, and shakes hands when it first sends or receives.
package final class TLSClientEnd: ClientEnd {
    private let context: OpaquePointer?
    private let tls: OpaquePointer?
    private let socket: Int32
    private let protocols: [String]
    package private(set) var sentCount = 0
    package private(set) var fault: String?

    /// Uses a socket that is connected, and does not own it; asks for the first of `protocols`, and takes no other.
    package init(on socket: Int32, protocols: [String]) {
        // A server that has closed would end the process otherwise.
        signal(SIGPIPE, SIG_IGN)
        self.socket = socket
        self.protocols = protocols
        // SAFETY: both are this object's, and freed with it.
        context = SSL_CTX_new(TLS_client_method())
        tls = SSL_new(context)
        let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        SSL_set_alpn_protos(tls, list, UInt32(list.count))
        SSL_set_fd(tls, socket)
        SSL_set_connect_state(tls)
    }

    deinit {
        SSL_free(tls)
        SSL_CTX_free(context)
    }

    package var isOpen: Bool {
        if SSL_is_init_finished(tls) == 1 { return fault == nil }
        defer { ERR_clear_error() }
        guard SSL_do_handshake(tls) == 1 else { return false }
        if selected != protocols.first { fault = "ALPN selected \(selected ?? "nothing")" }
        return fault == nil
    }

    /// What the server has selected with ALPN.
    private var selected: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(tls, &name, &count)
        // SAFETY: the name is the session's, and copied here.
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    package func send(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard isOpen else { return false }
        var count = 0
        let isSent = SSL_write_ex(tls, bytes, bytes.count, &count) == 1
        if isSent { sentCount += bytes.count }
        ERR_clear_error()
        return isSent
    }

    package func receive(into chunk: inout [UInt8]) -> Int {
        guard isOpen else { return 0 }
        var count = 0
        errno = 0
        if SSL_read_ex(tls, &chunk, chunk.count, &count) == 1 { return count }
        let error = SSL_get_error(tls, 0)
        ERR_clear_error()
        return error == SSL_ERROR_SYSCALL && errno != 0 ? -1 : 0
    }

    package func finishSending() {
        if isOpen { SSL_shutdown(tls) }
        ERR_clear_error()
        shutdown(socket, Int32(SHUT_WR))
    }
}
