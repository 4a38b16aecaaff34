import COpenSSL

/// The certificates that servers' certificates are checked against, read once for all connections.
///
/// libcurl would read the system's file of them, some hundred certificates, for connections one after the other.
package final class TrustStore: Sendable {
    // SAFETY: OpenSSL's `X509_STORE`, which has a lock and counts its own references; it is not changed after init.
    private nonisolated(unsafe) let pointer: OpaquePointer

    /// Makes a store of what the system trusts and what a PEM file adds to it.
    ///
    /// - Throws: ``TrustStoreError`` where the file cannot be read or has no certificate.
    package init(addingFile path: String? = nil) throws(TrustStoreError) {
        // SAFETY: the store is owned by this object and freed once.
        guard let pointer = copenssl_system_trust() else { throw .memory }
        self.pointer = pointer
        if let path, copenssl_trust_file(pointer, path) == 0 { throw .file(path) }
    }

    deinit {
        // SAFETY: made in init; contexts that use it have references of their own.
        copenssl_free_trust(pointer)
    }

    /// Has the connections of a client's `SSL_CTX` trust these certificates, and no others.
    package func use(in context: UnsafeMutableRawPointer) {
        // SAFETY: the caller lends an `SSL_CTX`, which counts a reference of its own to the store.
        copenssl_use_trust(context, pointer)
    }
}

/// Why there are no certificates to trust.
package enum TrustStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file of certificates cannot be read, or holds none.
    case file(String)
    /// There is no memory.
    case memory

    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .file(let path): "\(path) has no certificate that can be read; it has to be a PEM file"
        case .memory: "there is no memory for certificates"
        }
    }
}

/// Takes every certificate of a server, and notes that one came.
package final class CertificateSighting: Sendable {
    // SAFETY: four bytes that OpenSSL writes during a handshake, and that are read after it; freed with the object.
    private nonisolated(unsafe) let seen: UnsafeMutablePointer<Int32>

    /// Makes one that has seen nothing.
    package init() {
        // SAFETY: see above.
        seen = .allocate(capacity: 1)
        seen.initialize(to: 0)
    }

    deinit {
        // SAFETY: see above.
        seen.deallocate()
    }

    /// Has a client's `SSL_CTX` note certificates here; the object has to outlive its connections.
    package func use(in context: UnsafeMutableRawPointer) {
        // SAFETY: the caller lends an `SSL_CTX`; the note outlives its connections.
        copenssl_note_certificates(context, seen)
    }

    /// Whether a certificate has come; not to be asked during a handshake.
    package var hasCome: Bool { seen.pointee != 0 }
}
