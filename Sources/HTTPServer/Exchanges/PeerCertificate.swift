import TLSEngine

/// The certificate that a client has shown and that an authority of the settings has vouched for.
package final class PeerCertificate: Sendable {
    /// Its subject alternative names, without their kinds: hosts, addresses, URIs.
    package let names: [String]
    /// The last second of its validity, since 1970.
    package let notAfter: Int
    /// A key for look-ups, made of its names and its end: certificates that agree in both have the same key.
    package let key: String

    /// Takes what is of use from a certificate.
    package init(names: [String], notAfter: Int) {
        self.names = names
        self.notAfter = notAfter
        key = "certificate \(notAfter) \(names.joined(separator: " "))"
    }

    /// The certificate of a session's client; nil where it has shown none.
    convenience init?(of session: borrowing TLSSession) {
        guard let certificate = session.clientCertificate else { return nil }
        self.init(names: certificate.names.map(\.text), notAfter: certificate.notAfter)
    }
}
