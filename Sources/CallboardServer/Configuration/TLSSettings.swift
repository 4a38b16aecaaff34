import Access
import CallboardAPI
import JSONValues
import TLSEngine

/// The TLS settings of the TCP port (`tls.*`); cleartext without a certificate.
package struct TLSSettings: Sendable {
    /// The certificate with its chain, PEM (`tls.certificate`); empty for none.
    package var certificate = ""
    /// Its private key, PEM (`tls.key`).
    package var key = ""
    /// The file with the key's passphrase (`tls.passphraseFile`); empty where the key is not encrypted.
    package var passphraseFile = ""
    /// Certificates for other names, each with its key (`tls.certificates`).
    package var others: [TLSCertificateFiles] = []

    /// The file of the authorities that vouch for clients' certificates, PEM (`tls.clientCA`); empty where clients are
    /// not asked for one.
    package var clientAuthority = ""
    /// Whether clients have to show one (`tls.clientCertificates`).
    package var clientCertificates = TLSConfiguration.ClientCertificates.optional

    /// Makes the defaults: cleartext.
    package init() {}

    /// All certificates, the one for clients that ask for no name first.
    package var files: [TLSCertificateFiles] {
        guard !certificate.isEmpty else { return others }
        let passphrase = passphraseFile.isEmpty ? nil : passphraseFile
        return [TLSCertificateFiles(chain: certificate, key: key, passphrase: passphrase)] + others
    }

    /// Whether the port is encrypted.
    package var isOn: Bool { !files.isEmpty }

    /// The first inconsistency of the settings, such as a certificate without a key, with its remedy; nil without one.
    package var fault: String? {
        if certificate.isEmpty != key.isEmpty {
            return certificate.isEmpty
                ? "tls.key names a key, and tls.certificate no certificate" : "tls.certificate has no key: set tls.key"
        }
        if !clientAuthority.isEmpty, !isOn { return "tls.clientCA needs tls.certificate" }
        return certificate.isEmpty && !passphraseFile.isEmpty ? "tls.passphraseFile goes with tls.key" : nil
    }

    /// Takes certificates from a JSON array of objects with `certificate`, `key` and perhaps `passphraseFile`.
    ///
    /// - Throws: `GrantError` with the place of what is wrong.
    package mutating func read(certificates text: String) throws(GrantError) {
        others = try AccessConfiguration.list(text, of: "certificates") { (node) throws(GrantError) in
            try TLSCertificateFiles(node)
        }
    }
}

extension TLSCertificateFiles {
    fileprivate init(_ node: JSONNode) throws(GrantError) {
        guard node.kind == .object else { throw GrantError("expected an object with certificate and key") }
        for member in node.members where !["certificate", "key", "passphraseFile"].contains(member.name) {
            throw GrantError(
                pointer: "/" + JSONPointer.escape(member.name),
                "a certificate has no such member; it has: certificate, key, passphraseFile")
        }
        func path(_ name: String) throws(GrantError) -> String? {
            guard let member = node[name] else { return nil }
            guard let path = member.string, !path.isEmpty else {
                throw GrantError(pointer: "/" + name, "expected a path")
            }
            return path
        }
        guard let chain = try path("certificate") else { throw GrantError("the member certificate is missing") }
        guard let key = try path("key") else { throw GrantError("the member key is missing") }
        self.init(chain: chain, key: key, passphrase: try path("passphraseFile"))
    }
}
