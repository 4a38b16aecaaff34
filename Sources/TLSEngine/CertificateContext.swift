import COpenSSL

/// OpenSSL's context of one certificate: what every session has in common.
final class CertificateContext: @unchecked Sendable {
    // SAFETY: a context is changed only until it is in use, except for its count of references and what the library
    // guards by itself (openssl-threads(7)). It is freed when the last reference to this object is gone.

    /// OpenSSL's `SSL_CTX`.
    let pointer: OpaquePointer
    /// The description of the certificate.
    let info: TLSCertificateInfo

    /// TLS 1.2 with an ephemeral key exchange and authenticated encryption alone.
    private static let ciphers12 = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:\
        ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """
    private static let ciphers13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// Without groups of finite fields, whose exchange costs the server far more than the client. The first list is for a
    /// library that knows the hybrid with ML-KEM.
    private static let groups = ["X25519MLKEM768:X25519:P-256:P-384", "X25519:P-256:P-384"]

    /// The most bytes of early data that are skipped before the connection fails with `unexpected_message`. Servers allow
    /// 14 to 16 KiB in their tickets.
    static let maxSkippedEarlyData: UInt32 = 64 << 10

    /// Makes a context with its certificate and key, and without callbacks.
    init(_ certificate: TLSCertificate) throws(TLSConfigurationError) {
        let chain = try PEM.certificates(in: certificate.chain, name: certificate.chainName)
        let key = try PEM.key(in: certificate.key, passphrase: certificate.passphrase, name: certificate.keyName)
        // SAFETY: this object owns the context, which gets references of its own to the certificates and the key.
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw .library(OpenSSLErrors.take().text) }
        self.pointer = pointer
        info = TLSCertificateInfo(of: chain[0].pointer, name: certificate.chainName)
        try setRules()
        try use(chain, key, of: certificate)
    }

    deinit {
        // SAFETY: this object owns one reference; sessions have references of their own.
        SSL_CTX_free(pointer)
    }

    private func setRules() throws(TLSConfigurationError) {
        // SAFETY: nobody else knows the context yet.
        SSL_CTX_set_security_level(pointer, 2)
        copenssl_set_server_options(pointer)
        copenssl_set_small_memory(pointer)
        guard copenssl_set_versions(pointer, TLS1_2_VERSION, TLS1_3_VERSION) == 1,
            SSL_CTX_set_cipher_list(pointer, Self.ciphers12) == 1,
            SSL_CTX_set_ciphersuites(pointer, Self.ciphers13) == 1,
            Self.groups.contains(where: { copenssl_set_groups(pointer, $0) == 1 }),
            // Early data is never accepted. What a client with another server's ticket sends is skipped, up to a bound
            // (RFC 8446, section 4.2.10).
            SSL_CTX_set_max_early_data(pointer, 0) == 1,
            SSL_CTX_set_recv_max_early_data(pointer, Self.maxSkippedEarlyData) == 1,
            // A client needs one ticket; the next connection gives it another.
            SSL_CTX_set_num_tickets(pointer, 1) == 1
        else { throw .library(OpenSSLErrors.take().text) }
        OpenSSLErrors.clear()
    }

    private func use(
        _ chain: [OwnedCertificate], _ key: OwnedKey, of certificate: TLSCertificate
    ) throws(TLSConfigurationError) {
        defer { OpenSSLErrors.clear() }
        // SAFETY: the certificates and the key are held by the caller during the calls.
        guard let match = chain.firstIndex(where: { X509_check_private_key($0.pointer, key.pointer) == 1 }) else {
            throw .mismatch(certificate.chainName, key: certificate.keyName)
        }
        guard match == 0 else {
            throw .order(certificate.chainName, key: certificate.keyName, number: match + 1)
        }
        OpenSSLErrors.clear()
        guard SSL_CTX_use_certificate(pointer, chain[0].pointer) == 1 else {
            throw .unusable(certificate.chainName, OpenSSLErrors.take().text)
        }
        guard SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1 else {
            throw .unusable(certificate.keyName, OpenSSLErrors.take().text)
        }
        for issuer in chain.dropFirst() where copenssl_add_chain(pointer, issuer.pointer) != 1 {
            throw .unusable(certificate.chainName, OpenSSLErrors.take().text)
        }
    }

    /// Has the context ask clients for certificates and trust these authorities alone.
    func requireClients(of authorities: [OwnedCertificate], mode: TLSConfiguration.ClientCertificates) {
        // SAFETY: nobody else knows the context yet; it owns the store, which gets references to the certificates.
        guard let store = X509_STORE_new() else { return }
        SSL_CTX_set_cert_store(pointer, store)
        for authority in authorities {
            X509_STORE_add_cert(store, authority.pointer)
            SSL_CTX_add_client_CA(pointer, authority.pointer)
        }
        // An authority that another one issued is trusted all the same: it was named.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        let required = mode == .required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | required, nil)
        OpenSSLErrors.clear()
    }
}
