import Foundation
import Testing

@testable import CallboardClient

@Suite("Certificate authorities")
struct CertificateAuthorityTests {
    /// The certificate of an authority that nobody has the key of.
    static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBiTCCAS+gAwIBAgIUVD27UKqXHieBMP3uOU5806Gl4acwCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTIzMDYyMTIwWhgPMjEy
        NjEwMzAwNjIxMjBaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAEYB9fHK3PM8bujYWkugO9v5rWErV05HwOQBwN3Exv
        +iKSSsU6s4+3x4fbeMCudG8bJKyKQYLylF7r+geuBMv5eaNTMFEwHQYDVR0OBBYE
        FH5Z8En2PcvQFlIvxPW0PKqFz/KsMB8GA1UdIwQYMBaAFH5Z8En2PcvQFlIvxPW0
        PKqFz/KsMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAOLv+WDE
        3bqNOBozuY6Siw7vpnbvCErlXg+btjFVcA8GAiA1CYip0YI1W8z2gBWO2a7YFFWr
        tZxpe5s3ZoteyZ6rRQ==
        -----END CERTIFICATE-----

        """

    private static let key = "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n"

    /// The certificate with a line less, so that its length does not fit.
    private static let withoutLine = pem.split(separator: "\n").enumerated().filter { $0.offset != 3 }
        .map { "\($0.element)\n" }.joined()

    private static func block(_ content: String) -> String {
        "-----BEGIN CERTIFICATE-----\n\(content)-----END CERTIFICATE-----\n"
    }

    private static func read(_ text: String) throws(CertificateAuthorityError) -> CertificateAuthority {
        try CertificateAuthority(pem: Array(text.utf8), source: "F")
    }

    private static let sound: [(String, Int)] = [
        (pem, 1), (pem + pem, 2), ("subject=/CN=Test\n\(pem)\n# the next one\n\(pem)", 2), (key + pem, 1),
        (pem.replacing("\n", with: "\r\n"), 1), (pem.replacing("\n", with: "  \n"), 1),
    ]

    @Test("certificates are found between other text, whatever ends the lines", arguments: sound)
    func bundles(text: String, count: Int) throws {
        let authority = try Self.read(text)
        #expect(authority.certificates.count == count)
        #expect(String(decoding: authority.pem, as: UTF8.self) == String(repeating: Self.pem, count: count))
        #expect("\(authority)" == (count == 1 ? "1 certificate" : "2 certificates"))
    }

    private static let faulty: [(String, CertificateAuthorityError)] = [
        ("", .noCertificate(source: "F")), ("nonsense\n", .noCertificate(source: "F")), (key, .privateKey(source: "F")),
        (block(""), .damaged(source: "F", number: 1)), (block("MAA=\n"), .damaged(source: "F", number: 1)),
        (block("nonsense\n"), .damaged(source: "F", number: 1)), (withoutLine, .damaged(source: "F", number: 1)),
        (pem + String(pem.dropLast(60)), .damaged(source: "F", number: 2)),
    ]

    @Test("what has no certificate, or a damaged one, says which", arguments: faulty)
    func faults(text: String, fault: CertificateAuthorityError) {
        #expect(throws: fault) { try Self.read(text) }
        #expect("\(fault)".contains("F") && fault.errorDescription == fault.description)
    }

    @Test("a file is read, and one that cannot be read is named")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callboard-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("authority.pem")
        try Data(Self.pem.utf8).write(to: file)
        #expect(try CertificateAuthority(file: file.path) == Self.read(Self.pem))
        for path in [folder.appendingPathComponent("missing.pem").path, folder.path] {
            let error = #expect(throws: CertificateAuthorityError.self) { try CertificateAuthority(file: path) }
            guard case .unreadable(path, let reason) = error else {
                Issue.record("\(path): \(String(describing: error))")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }
}
