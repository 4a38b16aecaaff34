import Foundation

/// Why there are no certificates to trust; `source` is the path of the file.
public enum CertificateAuthorityError: Error, Sendable, Hashable {
    /// The file is not there, or cannot be read; `reason` is the system's own sentence.
    case unreadable(source: String, reason: String)
    /// There is no certificate in PEM.
    case noCertificate(source: String)
    /// There is a private key in the place of a certificate.
    case privateKey(source: String)
    /// A certificate has been cut or changed; they are counted from 1.
    case damaged(source: String, number: Int)
}

extension CertificateAuthorityError: CustomStringConvertible, LocalizedError {
    /// The fault, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .unreadable(let source, let reason): "cannot read \(source): \(reason)"
        case .noCertificate(let source):
            "\(source) has no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----"
        case .privateKey(let source): "\(source) is a private key, and a certificate is needed"
        case .damaged(let source, let number): "certificate \(number) in \(source) is damaged"
        }
    }

    /// The same as `description`, for those who read errors through Foundation.
    public var errorDescription: String? { description }
}
