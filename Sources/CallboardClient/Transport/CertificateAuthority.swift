import Foundation

/// The certificates of authorities that a client trusts in the place of the system's.
///
/// ```swift
/// let authority = try CertificateAuthority(file: "certificates/authority.pem")
/// let callboard = try Callboard(
///     server: "https://localhost:8080", transport: URLSessionTransport(trusting: authority))
/// ```
///
/// The file is read once: a client that is to trust another one is made anew.
public struct CertificateAuthority: Sendable, Hashable {
    /// The certificates, PEM, without anything else that the file has.
    let pem: [UInt8]
    /// The certificates one by one, DER.
    let certificates: [Data]

    /// Reads a file of one or more certificates, PEM; text between them is skipped.
    ///
    /// Blocks while the file is read, which may be a pipe.
    ///
    /// - Throws: ``CertificateAuthorityError`` where the file cannot be read or has no certificate.
    public init(file path: String) throws(CertificateAuthorityError) {
        let bytes: [UInt8]
        do {
            bytes = try Self.content(of: path)
        } catch {
            throw .unreadable(source: path, reason: error.localizedDescription)
        }
        try self.init(pem: bytes, source: path)
    }

    /// Takes one or more certificates, PEM; text between them is skipped.
    ///
    /// - Parameters:
    ///   - pem: the text.
    ///   - source: what an error calls the text.
    /// - Throws: ``CertificateAuthorityError`` where there is no certificate, or one that is damaged.
    public init(pem: [UInt8], source: String = "the text") throws(CertificateAuthorityError) {
        guard pem.count <= Self.maximumLength else { throw .noCertificate(source: source) }
        let lines = pem.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
        var (certificates, block, hasKey): ([Data], String?, Bool) = ([], nil, false)
        for line in lines.map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line == "-----BEGIN CERTIFICATE-----" {
                block = ""
            } else if line == "-----END CERTIFICATE-----", let text = block {
                guard let certificate = Data(base64Encoded: text), Self.isSequence(certificate) else {
                    throw .damaged(source: source, number: certificates.count + 1)
                }
                certificates.append(certificate)
                block = nil
            } else {
                block? += line
                hasKey = hasKey || line.hasPrefix("-----BEGIN") && line.hasSuffix("PRIVATE KEY-----")
            }
        }
        // A block without an end has been cut.
        guard block == nil else { throw .damaged(source: source, number: certificates.count + 1) }
        guard !certificates.isEmpty else {
            throw hasKey ? .privateKey(source: source) : .noCertificate(source: source)
        }
        self.certificates = certificates
        self.pem = Array(certificates.map(Self.text).joined().utf8)
    }

    /// More than any collection of authorities has.
    private static let maximumLength = 8 << 20

    /// Reads at most one byte beyond the longest content.
    private static func content(of path: String) throws -> [UInt8] {
        try InputFile.read(path, limit: maximumLength)
    }

    /// Whether bytes are one sequence of DER (X.690, section 8.1) and nothing else, as a certificate is.
    private static func isSequence(_ bytes: Data) -> Bool {
        let head = Array(bytes.prefix(6))
        // None is so short that its length would be written without digits.
        guard head.count > 1, head[0] == 0x30, head[1] >= 0x80 else { return false }
        let digits = Int(head[1] & 0x7F)
        guard (1...4).contains(digits), head.count >= 2 + digits else { return false }
        let length = head[2..<2 + digits].reduce(0) { $0 << 8 | Int($1) }
        return bytes.count == 2 + digits + length
    }

    private static func text(of certificate: Data) -> String {
        let lines = certificate.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    }
}

extension CertificateAuthority: CustomStringConvertible {
    /// How many certificates there are.
    public var description: String { certificates.count == 1 ? "1 certificate" : "\(certificates.count) certificates" }
}
