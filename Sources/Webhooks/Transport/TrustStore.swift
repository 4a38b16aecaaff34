import COpenSSL

/// The certificates that targets' certificates are checked against, read once.
///
/// libcurl would read the system's file of them, some hundred certificates, for connections one after the other.
final class TrustStore {
    /// OpenSSL's `X509_STORE`, which counts its own references.
    let pointer: OpaquePointer

    /// Makes a store of what the system trusts and what a PEM file adds to it.
    init(addingFile path: String?) throws(TransportError) {
        // SAFETY: the store is owned by this object and freed once.
        guard let pointer = copenssl_system_trust() else { throw .library("there is no memory for certificates") }
        self.pointer = pointer
        if let path, copenssl_trust_file(pointer, path) == 0 { throw .caFile(path) }
    }

    deinit {
        // SAFETY: made in init; contexts that use it have references of their own.
        copenssl_free_trust(pointer)
    }
}
