import COpenSSL
import Glibc

/// Why no certificate could be made.
package enum CertificateMakerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A certificate for a server needs at least one name.
    case noNames
    /// The name cannot stand in a certificate.
    case name(TLSName)
    /// The authority's own certificate and key cannot be read or do not belong together.
    case authority(TLSConfigurationError)
    /// OpenSSL could not do its work.
    case library(String)

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .noNames: "A certificate needs at least one name or address."
        case .name(let name): "'\(name.text)' cannot stand in a certificate: it is no host name and no address."
        case .authority(let error): error.description
        case .library(let reason): "OpenSSL failed: \(reason)."
        }
    }
}

/// A certificate authority of one's own, for trying out and for machines that trust it on purpose.
///
/// Keys are on the curve P-256. The authority issues to servers and clients alone, not to further authorities.
package final class CertificateMaker {
    private let certificate: OwnedCertificate
    private let key: OwnedKey

    /// Makes an authority with a new key; its certificate is signed by itself.
    ///
    /// - Parameters:
    ///   - name: What clients' lists of authorities call it.
    ///   - validity: The seconds since 1970 in which it is valid.
    package init(authority name: String, validity: ClosedRange<Int>) throws(CertificateMakerError) {
        key = try Self.makeKey()
        certificate = try Self.makeCertificate(name: name, key: key, validity: validity)
        try Self.extend(
            certificate, issuer: certificate,
            [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ])
        try Self.sign(certificate, issuer: certificate, key: key)
    }

    /// Goes on with an authority that was made before.
    package init(authority: TLSCertificate) throws(CertificateMakerError) {
        do throws(TLSConfigurationError) {
            let certificates = try PEM.certificates(in: authority.chain, name: authority.chainName)
            key = try PEM.key(in: authority.key, passphrase: authority.passphrase, name: authority.keyName)
            certificate = certificates[0]
        } catch { throw .authority(error) }
        // SAFETY: only looks.
        let matches = X509_check_private_key(certificate.pointer, key.pointer) == 1
        OpenSSLErrors.clear()
        guard matches else { throw .authority(.mismatch(authority.chainName, key: authority.keyName)) }
    }

    /// The authority's certificate and key.
    package var authority: TLSCertificate {
        get throws(CertificateMakerError) { try Self.pair(certificate, key) }
    }

    /// The description of the authority's certificate.
    package var info: TLSCertificateInfo { TLSCertificateInfo(of: certificate.pointer, name: "the authority") }

    /// Issues a certificate with a new key, for servers and clients of these names.
    package func issue(
        names: [TLSName], validity: ClosedRange<Int>
    ) throws(CertificateMakerError) -> TLSCertificate {
        guard let first = names.first else { throw .noNames }
        if let wrong = names.first(where: { !$0.isWellFormed }) { throw .name(wrong) }
        let key = try Self.makeKey()
        let issued = try Self.makeCertificate(name: first.text, key: key, validity: validity)
        try Self.extend(
            issued, issuer: certificate,
            [
                (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth,clientAuth"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid"),
                (NID_subject_alt_name, names.map(\.description).joined(separator: ",")),
            ])
        try Self.sign(issued, issuer: certificate, key: self.key)
        return try Self.pair(issued, key)
    }

    // MARK: Parts

    private static func makeKey() throws(CertificateMakerError) -> OwnedKey {
        // SAFETY: the object that is returned owns the key.
        guard let key = copenssl_make_p256_key() else { throw .library(OpenSSLErrors.take().text) }
        return OwnedKey(owning: key)
    }

    private static func makeCertificate(
        name: String, key: OwnedKey, validity: ClosedRange<Int>
    ) throws(CertificateMakerError) -> OwnedCertificate {
        // SAFETY: the object owns the certificate, whose parts the library changes during the calls.
        guard let pointer = X509_new() else { throw .library(OpenSSLErrors.take().text) }
        let certificate = OwnedCertificate(owning: pointer)
        // At most 64 characters stand in a common name; clients look at the alternative names alone.
        let commonName = Array(String(name.prefix(64)).utf8)
        let entries = X509_get_subject_name(pointer)
        guard X509_set_version(pointer, Int(X509_VERSION_3)) == 1, setSerial(of: pointer),
            ASN1_TIME_set(X509_getm_notBefore(pointer), validity.lowerBound) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), validity.upperBound) != nil,
            X509_NAME_add_entry_by_NID(
                entries, NID_commonName, MBSTRING_UTF8, commonName, Int32(commonName.count), -1, 0) == 1,
            X509_set_pubkey(pointer, key.pointer) == 1
        else { throw .library(OpenSSLErrors.take().text) }
        return certificate
    }

    /// Sets a positive random number of 127 bits (RFC 5280, section 4.1.2.2).
    private static func setSerial(of certificate: OpaquePointer) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        // SAFETY: the library fills in the array, and copies the number.
        guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { return false }
        bytes[0] = bytes[0] & 0x7F | 0x40
        guard let number = BN_bin2bn(bytes, Int32(bytes.count), nil) else { return false }
        defer { BN_free(number) }
        return BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private static func extend(
        _ certificate: OwnedCertificate, issuer: OwnedCertificate, _ extensions: [(kind: Int32, value: String)]
    ) throws(CertificateMakerError) {
        // SAFETY: the library copies the text. The values have no names that are not checked.
        for (kind, value) in extensions
        where copenssl_add_extension(certificate.pointer, issuer.pointer, kind, value) != 1 {
            throw .library(OpenSSLErrors.take().text)
        }
        OpenSSLErrors.clear()
    }

    private static func sign(
        _ certificate: OwnedCertificate, issuer: OwnedCertificate, key: OwnedKey
    ) throws(CertificateMakerError) {
        // SAFETY: the library copies the issuer's name.
        guard X509_set_issuer_name(certificate.pointer, X509_get_subject_name(issuer.pointer)) == 1,
            X509_sign(certificate.pointer, key.pointer, EVP_sha256()) > 0
        else { throw .library(OpenSSLErrors.take().text) }
    }

    private static func pair(
        _ certificate: OwnedCertificate, _ key: OwnedKey
    ) throws(CertificateMakerError) -> TLSCertificate {
        TLSCertificate(
            chain: try written { PEM_write_bio_X509($0, certificate.pointer) },
            key: try written { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) })
    }

    private static func written(_ write: (OpaquePointer) -> Int32) throws(CertificateMakerError) -> [UInt8] {
        // SAFETY: the stream in memory is freed here; its bytes are copied before that.
        guard let stream = BIO_new(BIO_s_mem()) else { throw .library(OpenSSLErrors.take().text) }
        defer { BIO_free(stream) }
        guard write(stream) == 1 else { throw .library(OpenSSLErrors.take().text) }
        return PEM.bytes(of: stream)
    }
}
