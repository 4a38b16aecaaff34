import COpenSSL
import Glibc

/// One end of mutual TLS as a client: its certificate with the key, and the only authorities whose servers it trusts.
///
/// The same certificate serves as a server's; ``init(_:time:)`` checks that the other ends will accept it as both. Usable from
/// any thread.
package final class MutualIdentity: Sendable {
    // SAFETY: OpenSSL's objects, which count their references under a lock; nothing changes them after init.
    private nonisolated(unsafe) let chain: [OwnedCertificate]
    private nonisolated(unsafe) let key: OwnedKey
    private nonisolated(unsafe) let trust: OpaquePointer
    private let names: (chain: String, authority: String)

    /// Reads the first certificate of a configuration and its client authority, and checks one against the other.
    ///
    /// - Parameter time: The seconds since 1970 at which the certificate has to be valid.
    /// - Throws: ``TLSConfigurationError`` where a file is of no use, the certificate is not valid at that time, comes from
    ///   another authority, or is not for servers and clients.
    package init(_ configuration: TLSConfiguration, time: Int) throws(TLSConfigurationError) {
        guard let certificate = configuration.certificates.first, let authority = configuration.clientAuthority else {
            throw .noCertificates
        }
        chain = try PEM.certificates(in: certificate.chain, name: certificate.chainName)
        key = try PEM.key(in: certificate.key, passphrase: certificate.passphrase, name: certificate.keyName)
        let authorities = try PEM.certificates(in: authority.certificates, name: authority.name)
        names = (certificate.chainName, authority.name)
        // SAFETY: this object owns the store, which gets references to the certificates.
        guard let store = X509_STORE_new() else { throw .library(OpenSSLErrors.take().text) }
        trust = store
        for authority in authorities { X509_STORE_add_cert(store, authority.pointer) }
        // An authority that another one issued is trusted all the same: it was named.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        OpenSSLErrors.clear()
        // SAFETY: only looks.
        guard X509_check_private_key(chain[0].pointer, key.pointer) == 1 else {
            OpenSSLErrors.clear()
            throw .mismatch(certificate.chainName, key: certificate.keyName)
        }
        try checkTime(time)
        try check(for: X509_PURPOSE_SSL_SERVER, "servers", time)
        try check(for: X509_PURPOSE_SSL_CLIENT, "clients", time)
    }

    deinit {
        // SAFETY: made in init; contexts that use it have references of their own.
        X509_STORE_free(trust)
    }

    /// Has the connections of a client's `SSL_CTX` show the certificate, and trust these authorities and no others.
    ///
    /// A context that does not take the certificate shows none, and its handshakes are refused.
    package func use(in context: UnsafeMutableRawPointer) {
        let context = OpaquePointer(context)
        // SAFETY: the caller lends an `SSL_CTX`, which counts references of its own to all of these.
        SSL_CTX_set1_cert_store(context, trust)
        if SSL_CTX_use_certificate(context, chain[0].pointer) == 1,
            SSL_CTX_use_PrivateKey(context, key.pointer) == 1
        {
            for issuer in chain.dropFirst() { _ = copenssl_add_chain(context, issuer.pointer) }
        }
        OpenSSLErrors.clear()
    }

    /// Whether a client that connects to this host accepts the certificate; a name, or an address without brackets.
    package func isFor(_ host: String) -> Bool {
        defer { OpenSSLErrors.clear() }
        // SAFETY: only looks; the library copies the text.
        return X509_check_ip_asc(chain[0].pointer, host, 0) == 1
            || X509_check_host(chain[0].pointer, host, host.utf8.count, 0, nil) == 1
    }

    private func checkTime(_ time: Int) throws(TLSConfigurationError) {
        let info = TLSCertificateInfo(of: chain[0].pointer, name: names.chain)
        if time > info.notAfter { throw .expired(names.chain, days: (time - info.notAfter) / 86_400) }
        if time < info.notBefore { throw .early(names.chain, seconds: info.notBefore - time) }
    }

    private func check(for purpose: Int32, _ users: String, _ time: Int) throws(TLSConfigurationError) {
        // SAFETY: the stack, the context and its parameters are freed here; the certificates outlive them.
        guard let context = X509_STORE_CTX_new(), let others = copenssl_certificate_stack() else {
            throw .library(OpenSSLErrors.take().text)
        }
        defer {
            X509_STORE_CTX_free(context)
            copenssl_free_certificate_stack(others)
            OpenSSLErrors.clear()
        }
        for issuer in chain.dropFirst() { copenssl_push_certificate(others, issuer.pointer) }
        guard X509_STORE_CTX_init(context, trust, chain[0].pointer, others) == 1,
            X509_STORE_CTX_set_purpose(context, purpose) == 1
        else { throw .library(OpenSSLErrors.take().text) }
        X509_STORE_CTX_set_time(context, 0, time)
        guard X509_verify_cert(context) != 1 else { return }
        let code = X509_STORE_CTX_get_error(context)
        // SAFETY: a static text, copied at once.
        let reason = String(cString: X509_verify_cert_error_string(Int(code)))
        throw code == X509_V_ERR_INVALID_PURPOSE
            ? .purpose(names.chain, users: users) : .untrusted(names.chain, authority: names.authority, reason)
    }
}
