import Glibc

/// The files of one certificate.
package struct TLSCertificateFiles: Hashable, Sendable {
    /// The most bytes that a file may have.
    package static let maxSize = 1 << 20

    /// The path of the certificate with its chain, PEM.
    package var chain: String
    /// The path of the private key, PEM. It may be the same file.
    package var key: String
    /// The path of the key's passphrase, where it is encrypted. One line break at the end does not count.
    package var passphrase: String?

    /// Keeps the paths.
    package init(chain: String, key: String, passphrase: String? = nil) {
        self.chain = chain
        self.key = key
        self.passphrase = passphrase
    }

    /// Reads the files. The key's and the passphrase's must not be open to everybody on the machine.
    package func read() throws(TLSConfigurationError) -> TLSCertificate {
        let chainBytes = try Self.read(chain, isSecret: false)
        let keyBytes = try Self.read(key, isSecret: true)
        var secret = try passphrase.map { (path) throws(TLSConfigurationError) in
            try Self.read(path, isSecret: true)
        }
        if secret?.last == UInt8(ascii: "\n") { secret?.removeLast() }
        if secret?.last == UInt8(ascii: "\r") { secret?.removeLast() }
        return TLSCertificate(
            chain: chainBytes, key: keyBytes, passphrase: secret, chainName: chain, keyName: key)
    }

    /// Reads one file whole; it has at least one byte.
    ///
    /// - Parameter isSecret: Whether it has to be refused where everybody may read or change it.
    package static func read(_ path: String, isSecret: Bool) throws(TLSConfigurationError) -> [UInt8] {
        // Without O_NONBLOCK a pipe would wait for somebody who writes to it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            throw code == ENOENT || code == ENOTDIR ? .missing(path) : .unreadable(path, reason(code))
        }
        defer { Glibc.close(descriptor) }
        var status = stat()
        // SAFETY: filled in during the call.
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
        if isSecret, status.st_mode & (S_IROTH | S_IWOTH) != 0 {
            throw .open(path, mode: UInt32(status.st_mode & 0o7777))
        }
        guard status.st_size <= maxSize else { throw .tooLarge(path) }
        let bytes = try readAll(descriptor, path: path)
        guard !bytes.isEmpty else { throw .empty(path) }
        return bytes
    }

    private static func readAll(_ descriptor: Int32, path: String) throws(TLSConfigurationError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            // SAFETY: the kernel writes at most as many bytes as the array has.
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .unreadable(path, reason(errno))
            }
            bytes += piece[..<count]
            guard bytes.count <= maxSize else { throw .tooLarge(path) }
        }
    }

    private static func reason(_ code: Int32) -> String {
        // SAFETY: a text of the C library, copied at once.
        String(cString: strerror(code))
    }
}
