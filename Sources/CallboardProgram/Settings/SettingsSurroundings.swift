import Access
import CallboardAPI
import CallboardServer
import Foundation
import Journal
import JournalPostgres
import JournalSQLite

/// The objects on this machine that settings name: certificates, folders, files. Everything is looked at and nothing
/// changed.
struct SettingsSurroundings {
    /// The faults that would keep a server from starting.
    private(set) var faults: [ProgramError] = []
    /// The warnings for an operator of a server that starts.
    private(set) var warnings: [String] = []

    /// Looks at what the settings name, as the user that this process runs as.
    init(of configuration: CallboardConfiguration) {
        if let fault = Self.openness(of: configuration) { faults.append(fault) }
        let (tlsFaults, tlsWarnings) = configuration.tls.examined()
        for fault in tlsFaults { note("a certificate cannot be used", "\(fault)") }
        warnings += tlsWarnings
        let nodes = configuration.cluster.examinedCertificates()
        for fault in nodes.faults { note("a certificate of cluster.tls… cannot be used", "\(fault)") }
        warnings += nodes.warnings
        lookAtIssuers(configuration.access.issuers)
        lookAtStorage(configuration.storage)
        for (key, path) in [
            ("audit.file", configuration.access.auditFile), ("server.unixSocket", configuration.server.unixSocketPath),
        ] {
            if let path, path != "-", let fault = Self.fault(ofFile: path) { note("\(key): \(fault)", nil) }
        }
    }

    /// The fault of settings that would give every client in a network all rights; nil without it.
    static func openness(of configuration: CallboardConfiguration) -> ProgramError? {
        configuration.access.fault(of: configuration.server).map { fault in
            ProgramError(
                fault,
                advice: "set auth.mode to required (CALLBOARD_AUTH_MODE=required): the first start then makes a token. "
                    + "If everybody may do everything, set auth.openToAll to true", status: .configuration)
        }
    }

    private mutating func note(_ message: String, _ advice: String?) {
        faults.append(ProgramError(message, advice: advice, status: .configuration))
    }

    private mutating func lookAtIssuers(_ issuers: [IssuerSettings]) {
        do throws(TokenIssuerError) {
            _ = try TokenVerifier(issuers: issuers.map { ($0.issuer, nil) })
        } catch {
            note("auth.issuers: \(error)", nil)
        }
        for case .file(let path) in issuers.map(\.source) where !FileManager.default.isReadableFile(atPath: path) {
            note("auth.issuers: the file \(path) cannot be read", "it has the keys of an issuer")
        }
    }

    private mutating func lookAtStorage(_ storage: StorageConfiguration) {
        do throws(JournalError) {
            if storage.isDatabase {
                _ = try DatabaseAddress(storage.url)
            } else if !storage.isMemory, !storage.data.isEmpty {
                try DataFolder(path: storage.data).check()
                if let fault = Self.fault(ofFolder: storage.data) { note("data: \(fault)", nil) }
            }
        } catch {
            faults.append((storage.isDatabase ? DataFault.servingDatabase(storage.url) : .serving(storage.data))(error))
        }
    }

    /// Why a folder cannot be used, or made where it is not there.
    private static func fault(ofFolder path: String) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            let above = (path as NSString).deletingLastPathComponent
            return above == path ? nil : fault(ofFolder: above.isEmpty ? "." : above)
        }
        guard isFolder.boolValue else { return "\(path) is not a folder" }
        let database = DataFolder(path: path).database
        for place in [path, database] where FileManager.default.fileExists(atPath: place) {
            guard FileManager.default.isReadableFile(atPath: place), FileManager.default.isWritableFile(atPath: place)
            else { return "this user cannot read and write \(place)" }
        }
        return nil
    }

    /// Why a file cannot be written, or made where it is not there.
    private static func fault(ofFile path: String) -> String? {
        if FileManager.default.fileExists(atPath: path) {
            return FileManager.default.isWritableFile(atPath: path) ? nil : "this user cannot write \(path)"
        }
        let above = (path as NSString).deletingLastPathComponent
        guard FileManager.default.fileExists(atPath: above.isEmpty ? "." : above) else {
            return "there is no folder \(above)"
        }
        return fault(ofFolder: above.isEmpty ? "." : above)
    }
}
