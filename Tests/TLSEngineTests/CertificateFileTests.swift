import Foundation
import Testing

@testable import TLSEngine

@Suite("The files of a certificate")
struct CertificateFileTests {
    /// A folder with a pair in it, removed afterwards.
    private func withFiles(_ body: (_ folder: String, _ files: TLSCertificateFiles) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "callboard-tls-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pair = try Fixtures.first.get().issue("localhost")
        let files = TLSCertificateFiles(
            chain: "\(folder)/chain.pem", key: "\(folder)/key.pem", passphrase: "\(folder)/passphrase")
        try Self.write(pair.chain, files.chain, mode: 0o644)
        try Self.write(pair.key, files.key, mode: 0o600)
        try Self.write(Array("secret\n".utf8), "\(folder)/passphrase", mode: 0o640)
        try body(folder, files)
    }

    private static func write(_ bytes: [UInt8], _ path: String, mode: Int) throws {
        try Data(bytes).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func fault(_ files: TLSCertificateFiles) -> TLSConfigurationError? {
        do throws(TLSConfigurationError) {
            _ = try files.read()
            return nil
        } catch { return error }
    }

    @Test("are read, the passphrase without its line break")
    func areRead() throws {
        try withFiles { _, files in
            let pair = try files.read()
            #expect(pair.passphrase == Array("secret".utf8))
            #expect(pair.chainName == files.chain && pair.keyName == files.key)
            #expect(try TLSContext(TLSConfiguration(certificates: [pair])).certificates.count == 1)
        }
    }

    @Test("that are missing, empty, too large or no files are told apart")
    func areToldApart() throws {
        try withFiles { folder, files in
            var changed = files
            changed.chain = "\(folder)/none.pem"
            #expect(fault(changed) == .missing("\(folder)/none.pem"))
            changed.chain = "\(files.chain)/deeper"
            #expect(fault(changed) == .missing("\(files.chain)/deeper"))
            changed.chain = folder
            #expect(fault(changed) == .notAFile(folder))
            changed.chain = "/dev/null"
            #expect(fault(changed) == .notAFile("/dev/null"))
            changed.chain = "\(folder)/empty.pem"
            try Self.write([], changed.chain, mode: 0o600)
            #expect(fault(changed) == .empty(changed.chain))
            changed.chain = "\(folder)/large.pem"
            try Self.write(Array(repeating: 65, count: 1 << 20 + 1), changed.chain, mode: 0o600)
            #expect(fault(changed) == .tooLarge(changed.chain))
            mkfifo("\(folder)/pipe", 0o600)
            changed.chain = "\(folder)/pipe"
            #expect(fault(changed) == .notAFile(changed.chain))
        }
    }

    @Test("that cannot be read say the system's reason", .enabled(if: getuid() != 0, "root reads everything"))
    func areUnreadable() throws {
        try withFiles { _, files in
            try Self.write([1], files.chain, mode: 0o000)
            #expect(fault(files) == .unreadable(files.chain, "Permission denied"))
        }
    }

    @Test("that are secret must not be open to everybody", arguments: [0o644, 0o604, 0o602, 0o666])
    func areSecret(mode: Int) throws {
        try withFiles { _, files in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: files.key)
            #expect(fault(files) == .open(files.key, mode: UInt32(mode)))
            #expect(fault(files)?.description.contains("chmod o= \(files.key)") == true)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files.key)
            let path = try #require(files.passphrase)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(fault(files) == .open(path, mode: UInt32(mode)))
        }
    }

    @Test("may be symbolic links, as those that an orchestrator swaps")
    func mayBeLinks() throws {
        try withFiles { folder, files in
            var linked = files
            linked.key = "\(folder)/link.pem"
            try FileManager.default.createSymbolicLink(atPath: linked.key, withDestinationPath: "key.pem")
            #expect(fault(linked) == nil)
        }
    }
}
