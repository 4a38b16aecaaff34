/// A certificate with the chain that leads to it and its private key, as they stand in PEM files (RFC 7468).
///
/// Nothing is looked at before a context is made of it.
package struct TLSCertificate: Sendable {
    /// The server's own certificate, followed by the intermediate certificates up to a trusted root.
    package var chain: [UInt8]
    /// The private key of the first certificate.
    package var key: [UInt8]
    /// The passphrase of the key, if it is encrypted.
    package var passphrase: [UInt8]?
    /// The chain's name in error messages: its path, as a rule.
    package var chainName: String
    /// The key's name in error messages.
    package var keyName: String

    /// Keeps what is given.
    package init(
        chain: [UInt8], key: [UInt8], passphrase: [UInt8]? = nil, chainName: String = "the certificate",
        keyName: String = "the key"
    ) {
        self.chain = chain
        self.key = key
        self.passphrase = passphrase
        self.chainName = chainName
        self.keyName = keyName
    }
}
