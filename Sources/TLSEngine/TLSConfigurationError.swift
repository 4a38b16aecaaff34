/// Why no context can be made of a configuration: what is wrong, where, and what to do about it.
///
/// The first value of a case is the name of what is at fault, as `TLSCertificate` and others give it.
package enum TLSConfigurationError: Error, Hashable, Sendable {
    /// No certificate is configured.
    case noCertificates
    /// An application protocol is empty or longer than 255 bytes.
    case applicationProtocol(String)

    /// There is no file of the name.
    case missing(String)
    /// The file cannot be opened or read; the second value is the system's reason.
    case unreadable(String, String)
    /// It is a folder, a device or the like.
    case notAFile(String)
    /// It has more bytes than any certificate or key.
    case tooLarge(String)
    /// Everybody on the machine may read or change the file of a key or a passphrase; the second value is its mode.
    case open(String, mode: UInt32)

    /// It has no bytes.
    case empty(String)
    /// It has no certificate in PEM form.
    case noCertificate(String)
    /// It has no private key in PEM form.
    case noKey(String)
    /// It is in DER form.
    case binary(String)
    /// A certificate, counted from 1, cannot be read; the third value is OpenSSL's reason.
    case damagedCertificate(String, number: Int, String)
    /// The key cannot be read; the second value is OpenSSL's reason.
    case damagedKey(String, String)
    /// The key is encrypted and no passphrase is given.
    case passphraseMissing(String)
    /// The key is encrypted with another passphrase.
    case passphraseWrong(String)
    /// The key (second) belongs to another certificate than the first one of the chain.
    case mismatch(String, key: String)
    /// The key (second) belongs to a later certificate of the chain, counted from 1.
    case order(String, key: String, number: Int)
    /// The certificate or its key is too weak, or of a kind that TLS has no use for; the second value is OpenSSL's reason.
    case unusable(String, String)
    /// The certificate has expired so many days ago.
    case expired(String, days: Int)
    /// The certificate begins to be valid in so many seconds.
    case early(String, seconds: Int)
    /// The certificate does not come from the authorities of the second name; the third value is OpenSSL's reason.
    case untrusted(String, authority: String, String)
    /// The certificate is not for these users, servers or clients.
    case purpose(String, users: String)
    /// The certificate is not for the host (second).
    case otherHost(String, host: String)

    /// OpenSSL could not do its work.
    case library(String)
}

extension TLSConfigurationError: CustomStringConvertible {
    /// A sentence for the operator, with what to do.
    package var description: String {
        switch self {
        case .noCertificates:
            "TLS needs at least one certificate with its key: name them, or leave TLS out."
        case .applicationProtocol(let name):
            "'\(name)' cannot be an application protocol: it needs 1 to 255 bytes, like 'h2' or 'http/1.1'."
        case .missing(let name):
            "There is no file \(name). Check the path, and that it is there for the user the server runs as."
        case .unreadable(let name, let reason):
            "\(name) cannot be read: \(reason). Let the user that the server runs as read it."
        case .notAFile(let name):
            "\(name) is no file. Name the PEM file itself."
        case .tooLarge(let name):
            "\(name) has more than \(TLSCertificateFiles.maxSize) bytes, which no certificate or key needs. Check the path."
        case .open(let name, let mode):
            """
            Everybody on this machine may read or change \(name) (its mode is 0\(String(mode, radix: 8))). \
            Let only its owner and group: chmod o= \(name)
            """
        case .empty(let name):
            "\(name) is empty. It may be that it is still being written, or that the disk was full."
        case .noCertificate(let name):
            "\(name) has no certificate: no line '-----BEGIN CERTIFICATE-----'. It may be that it is another file."
        case .noKey(let name):
            "\(name) has no private key: no line '-----BEGIN PRIVATE KEY-----' or the like. It may be that it is another file."
        case .binary(let name):
            """
            \(name) is in DER form. Convert it to PEM with 'openssl x509 -inform der', 'openssl pkey -inform der' or \
            'openssl pkcs12'.
            """
        case .damagedCertificate(let name, let number, let reason):
            "Certificate \(number) of \(name) cannot be read: \(reason). Get the file again from where it was issued."
        case .damagedKey(let name, let reason):
            "The private key in \(name) cannot be read: \(reason). Get it again from where it was made."
        case .passphraseMissing(let name):
            "The private key in \(name) is encrypted. Give its passphrase, or decrypt it with 'openssl pkey'."
        case .passphraseWrong(let name):
            "The passphrase does not decrypt the private key in \(name). Check the passphrase's file."
        case .mismatch(let name, let key):
            "The key in \(key) does not belong to the first certificate of \(name). Name the pair that was issued together."
        case .order(let name, let key, let number):
            """
            The key in \(key) belongs to certificate \(number) of \(name), not to the first. Put the server's own \
            certificate first, then those that issued it.
            """
        case .unusable(let name, let reason):
            "\(name) cannot be used: \(reason). Have one issued with a key on P-256 or with RSA of at least 2048 bits."
        case .expired(let name, let days):
            "\(name) has expired \(days) days ago. Renew it."
        case .early(let name, let seconds):
            "\(name) is not valid yet: its time begins \(seconds) s from now. Check the machine's clock."
        case .untrusted(let name, let authority, let reason):
            "\(name) does not come from the authorities in \(authority): \(reason). Have one of them issue it."
        case .purpose(let name, let users):
            "\(name) is not for \(users). Have it issued for both servers and clients (serverAuth and clientAuth)."
        case .otherHost(let name, let host):
            "\(name) is not for \(host). Have it issued with that subject alternative name."
        case .library(let reason):
            "OpenSSL failed: \(reason)."
        }
    }
}
