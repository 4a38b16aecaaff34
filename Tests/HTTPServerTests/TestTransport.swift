import COpenSSL
import Glibc
import HTTPServer
import TLSEngine

/// What the tests' servers and clients speak HTTP over: TLS where `CALLBOARD_TEST_TRANSPORT` is `tls`, else nothing between.
enum TestTransport {
    static let isEncrypted = getenv("CALLBOARD_TEST_TRANSPORT").map { String(cString: $0) } == "tls"

    /// What a test's server is given; the same for all of them.
    static let certificates: ServerCertificates? = isEncrypted ? made : nil

    private static let made: ServerCertificates? = {
        let now = time(nil)
        guard let maker = try? CertificateMaker(authority: "Tests", validity: now - 60...now + 86_400),
            let certificate = try? maker.issue(names: [.dns("localhost")], validity: now - 60...now + 86_400),
            let context = try? TLSContext(
                TLSConfiguration(certificates: [certificate], applicationProtocols: ["http/1.1"]))
        else { return nil }
        return ServerCertificates(context)
    }()
}

/// A client's end of TLS on a blocking socket, which it does not own. It trusts any server, and shakes hands when it first
/// sends or receives.
final class TLSClientEnd {
    private let context: OpaquePointer?
    private let tls: OpaquePointer?

    init(on socket: Int32) {
        // A server that has closed would end the process otherwise.
        signal(SIGPIPE, SIG_IGN)
        // SAFETY: both are this object's, and freed with it.
        context = SSL_CTX_new(TLS_client_method())
        tls = SSL_new(context)
        SSL_set_fd(tls, socket)
        SSL_set_connect_state(tls)
    }

    deinit {
        SSL_free(tls)
        SSL_CTX_free(context)
    }

    /// Whether the handshake has ended well; it is made here.
    var isOpen: Bool {
        defer { ERR_clear_error() }
        return SSL_is_init_finished(tls) == 1 || SSL_do_handshake(tls) == 1
    }

    func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, isOpen else { return }
        var count = 0
        SSL_write_ex(tls, bytes, bytes.count, &count)
        ERR_clear_error()
    }

    /// Receives once; nothing at the end, and less where the connection has failed, which `errno` tells of.
    func receive(into chunk: inout [UInt8]) -> Int {
        guard isOpen else { return 0 }
        var count = 0
        errno = 0
        if SSL_read_ex(tls, &chunk, chunk.count, &count) == 1 { return count }
        let error = SSL_get_error(tls, 0)
        ERR_clear_error()
        return error == SSL_ERROR_SYSCALL && errno != 0 ? -1 : 0
    }

    func finishSending() {
        guard isOpen else { return }
        SSL_shutdown(tls)
        ERR_clear_error()
    }
}
