import COpenSSL
import Glibc

/// The description of a certificate.
package struct TLSCertificateInfo: Hashable, Sendable {
    /// Its name in error messages: its path, as a rule.
    package let name: String
    /// Its subject, like `CN=example.org`.
    package let subject: String
    /// Its subject alternative names.
    package let names: [TLSName]
    /// When it begins to be valid, in seconds since 1970.
    package let notBefore: Int
    /// The last second of its validity, since 1970.
    package let notAfter: Int

    /// Reads a certificate.
    init(of certificate: OpaquePointer, name: String) {
        self.name = name
        subject = Self.subject(of: certificate)
        names = TLSName.names(of: certificate)
        // SAFETY: only looks; both times belong to the certificate.
        notBefore = Self.seconds(X509_get0_notBefore(certificate))
        notAfter = Self.seconds(X509_get0_notAfter(certificate))
    }

    /// How many whole days are left of its validity; negative once it has expired.
    package func daysLeft(at now: Int) -> Int {
        let left = notAfter - now
        return left >= 0 ? left / 86_400 : -1 - (-1 - left) / 86_400
    }

    /// The warning about its validity; nil if it is valid for at least `days` more.
    package func warning(at now: Int, days: Int = 14) -> String? {
        if now < notBefore {
            return "\(name) is not valid yet: its time begins \(notBefore - now) s from now. Check the machine's clock."
        }
        if now > notAfter { return "\(name) has expired \((now - notAfter) / 86_400) days ago. Renew it." }
        let left = daysLeft(at: now)
        return left < days ? "\(name) expires in \(left) days. Renew it." : nil
    }

    private static func subject(of certificate: OpaquePointer) -> String {
        // SAFETY: the stream in memory is freed here; its bytes are copied before that.
        guard let stream = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(stream) }
        copenssl_print_subject(stream, certificate)
        OpenSSLErrors.clear()
        return String(decoding: PEM.bytes(of: stream), as: UTF8.self)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var parts = tm()
        // SAFETY: fills in the parts during the call.
        guard ASN1_TIME_to_tm(time, &parts) == 1 else {
            OpenSSLErrors.clear()
            return 0
        }
        return timegm(&parts)
    }
}
