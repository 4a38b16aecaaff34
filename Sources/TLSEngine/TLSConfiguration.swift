/// The settings of a server's TLS.
package struct TLSConfiguration: Sendable {
    /// Which clients have to show a certificate.
    package enum ClientCertificates: String, Sendable, CaseIterable {
        /// A client without one is served; one that is not accepted ends the handshake.
        case optional
        /// A client without one is refused.
        case required
    }

    /// The authorities whose certificates clients may show.
    package struct ClientAuthority: Sendable {
        /// One or more certificates, PEM.
        package var certificates: [UInt8]
        /// Which clients have to show a certificate.
        package var mode: ClientCertificates
        /// The certificates' name in error messages: their path, as a rule.
        package var name: String

        /// Keeps what is given.
        package init(
            certificates: [UInt8], mode: ClientCertificates, name: String = "the client authority"
        ) {
            self.certificates = certificates
            self.mode = mode
            self.name = name
        }
    }

    /// At least one. The first one is for clients that ask for no name or for one that nobody has.
    package var certificates: [TLSCertificate]
    /// Application protocols (RFC 7301), the one that the server likes best first. A client that offers none gets no
    /// protocol; one that offers others alone is refused. With an empty list nothing is agreed upon.
    package var applicationProtocols: [String]
    /// Whom clients' certificates have to come from; nil asks for none.
    package var clientAuthority: ClientAuthority?

    /// Keeps what is given.
    package init(
        certificates: [TLSCertificate], applicationProtocols: [String] = [], clientAuthority: ClientAuthority? = nil
    ) {
        self.certificates = certificates
        self.applicationProtocols = applicationProtocols
        self.clientAuthority = clientAuthority
    }
}
