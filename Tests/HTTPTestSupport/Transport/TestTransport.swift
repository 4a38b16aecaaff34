import Glibc
import TLSEngine

/// What the tests' servers and clients speak to each other, as `CALLBOARD_TEST_TRANSPORT` says; it is read here alone.
///
/// A test writes and reads HTTP/1.1 whatever is below: ``end(on:isEncrypted:)`` translates.
package enum TestTransport: String, Sendable {
    /// HTTP/1.1 in the clear; what is used where nothing is set.
    case http1
    /// HTTP/1.1 over TLS.
    case tls
    /// HTTP/2 in the clear, with prior knowledge (RFC 9113, section 3.3).
    case http2
    /// HTTP/2 over TLS, agreed upon with ALPN (RFC 9113, section 3.2).
    case https2

    /// What this run of the tests uses; a name that means nothing ends the process.
    package static let current: TestTransport = {
        guard let text = getenv("CALLBOARD_TEST_TRANSPORT").map({ String(cString: $0) }), !text.isEmpty else {
            return .http1
        }
        guard let transport = TestTransport(rawValue: text) else {
            fatalError("CALLBOARD_TEST_TRANSPORT is \(text); it may be: http1, tls, http2, https2")
        }
        return transport
    }()

    /// Whether what goes between client and server is encrypted.
    package static var isEncrypted: Bool { current == .tls || current == .https2 }

    /// Whether a request is a message of HTTP/1.1, and ends with its connection where it is refused.
    package static var isHTTP1: Bool { !isHTTP2 }

    /// Whether a request is a stream of HTTP/2.
    package static var isHTTP2: Bool { current == .http2 || current == .https2 }

    /// What a server offers with ALPN, and a client asks for.
    package static var applicationProtocols: [String] { isHTTP2 ? ["h2"] : ["http/1.1"] }

    /// A certificate for `localhost`, the same for all servers of the process; nil where nothing is encrypted.
    package static let certificate: TLSCertificate? = isEncrypted ? try? makeCertificate() : nil

    /// A client's end of a connection on a blocking socket, which stays the caller's to close.
    ///
    /// - Parameter isEncrypted: False for a Unix-domain socket, which is never encrypted.
    package static func end(on socket: Int32, isEncrypted: Bool = isEncrypted) -> any ClientEnd {
        let bytes: any ClientEnd =
            isEncrypted ? TLSClientEnd(on: socket, protocols: applicationProtocols) : PlainClientEnd(on: socket)
        return isHTTP2 ? HTTP2ClientEnd(over: bytes, scheme: isEncrypted ? "https" : "http") : bytes
    }

    private static func makeCertificate() throws -> TLSCertificate {
        let now = time(nil)
        let maker = try CertificateMaker(authority: "Tests", validity: now - 60...now + 86_400)
        return try maker.issue(names: [.dns("localhost")], validity: now - 60...now + 86_400)
    }
}

/// The certificate of ``TestTransport`` as files, for servers that read theirs from a disk; the process removes them at
/// its end.
package enum TestCertificateFiles {
    /// Where they are; nil where nothing is encrypted.
    package static let current: TLSCertificateFiles? = TestTransport.certificate.flatMap { write($0) }

    private static let folder = "/tmp/callboard-test-certificate-\(getpid())"
    private static let (chain, key) = (folder + "/chain.pem", folder + "/key.pem")

    private static func write(_ certificate: TLSCertificate) -> TLSCertificateFiles? {
        guard mkdir(folder, 0o700) == 0 else { return nil }
        atexit {
            unlink(TestCertificateFiles.chain)
            unlink(TestCertificateFiles.key)
            rmdir(TestCertificateFiles.folder)
        }
        guard write(certificate.chain, to: chain), write(certificate.key, to: key) else { return nil }
        return TLSCertificateFiles(chain: chain, key: key)
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        return Glibc.write(file, bytes, bytes.count) == bytes.count
    }
}
