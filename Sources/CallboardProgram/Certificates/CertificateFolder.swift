import Foundation
import Glibc
import Journal
import JournalSQLite
import TLSEngine

/// A folder with an authority of one's own, and the certificate that it has issued last.
struct CertificateFolder {
    /// The folder's path.
    let path: String

    /// How many days the authority is valid.
    static let authorityDays = 3650

    /// The authority's certificate, for whoever is to trust it.
    var authority: String { path + "/authority.pem" }
    /// The authority's key: with it, certificates can be made that all of them trust.
    var authorityKey: String { path + "/authority-key.pem" }
    /// The server's certificate.
    var certificate: String { path + "/certificate.pem" }
    /// The server's key.
    var key: String { path + "/key.pem" }

    /// Issues a certificate, with the authority that is there, or else with one that is made.
    ///
    /// - Returns: Whether the authority is new.
    func issue(_ names: [TLSName], days: Int, now: Int) throws -> Bool {
        do {
            // For its owner alone, whatever the umask; one that is there keeps its permissions.
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ProgramError(
                "the folder \"\(path)\" cannot be made: \(error.localizedDescription)",
                advice: "name another folder with --out", status: .cannotCreate)
        }
        do throws(JournalError) {
            // Whoever can write to it could put an authority of their own there.
            try FolderOwner.check(path)
        } catch {
            throw ProgramError("\(error)", advice: "name another folder with --out", status: .configuration)
        }
        // An hour ago, for clients whose clocks are behind.
        let start = now - 3600
        do {
            let isNew = !FileManager.default.fileExists(atPath: authority)
            let maker: CertificateMaker
            if isNew {
                maker = try CertificateMaker(
                    authority: "Callboard authority of \(Self.host)",
                    validity: start...start + Self.authorityDays * 86_400)
                let pair = try maker.authority
                try write(pair.key, to: authorityKey, isSecret: true)
                try write(pair.chain, to: authority, isSecret: false)
            } else {
                maker = try CertificateMaker(authority: TLSCertificateFiles(chain: authority, key: authorityKey).read())
            }
            let pair = try maker.issue(names: names, validity: start...now + days * 86_400)
            try write(pair.key, to: key, isSecret: true)
            try write(pair.chain, to: certificate, isSecret: false)
            return isNew
        } catch let error as TLSConfigurationError {
            throw ProgramError("\(error)", advice: "name another folder with --out", status: .configuration)
        } catch let error as CertificateMakerError {
            throw ProgramError("\(error)", status: .software)
        }
    }

    private static var host: String {
        let name = ProcessInfo.processInfo.hostName
        return name.isEmpty ? "this machine" : name
    }

    /// Writes a file under another name and renames it: a reading server finds the old file or the new one.
    private func write(_ bytes: [UInt8], to path: String, isSecret: Bool) throws(ProgramError) {
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isSecret ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw Self.failure(path, .cannotCreate) }
        defer { close(descriptor) }
        // The umask may have removed permissions.
        guard fchmod(descriptor, isSecret ? 0o600 : 0o644) == 0 else { throw Self.failure(path) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Self.failure(path) }
            rest = rest.dropFirst(count)
        }
        guard rename(draft, path) == 0 else { throw Self.failure(path) }
    }

    private static func failure(_ path: String, _ status: ExitStatus = .ioError) -> ProgramError {
        ProgramError(
            "\"\(path)\" cannot be written: \(String(cString: strerror(errno)))",
            advice: "name another folder with --out, or have this user write to it", status: status)
    }
}
