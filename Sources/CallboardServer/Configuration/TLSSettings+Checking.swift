import Journal
import TLSEngine

extension TLSSettings {
    /// Reads every file, as a start does, and uses none of them.
    ///
    /// - Returns: The faults that would keep the server from starting, and the warnings about usable certificates:
    ///   expired, or soon to expire.
    package func examined() -> (faults: [TLSConfigurationError], warnings: [String]) {
        var (faults, warnings): ([TLSConfigurationError], [String]) = ([], [])
        var readable: [TLSCertificate] = []
        for file in files {
            let unreadable = file.unreadable
            guard unreadable.isEmpty else {
                faults += unreadable
                continue
            }
            do throws(TLSConfigurationError) {
                let certificate = try file.read()
                let context = try TLSContext(TLSConfiguration(certificates: [certificate]))
                warnings += context.certificates.compactMap { $0.warning(at: StoreClock.now()) }
                readable.append(certificate)
            } catch {
                faults.append(error)
            }
        }
        do throws(TLSConfigurationError) {
            guard let authority = try readAuthority(), !readable.isEmpty else { return (faults, warnings) }
            _ = try TLSContext(TLSConfiguration(certificates: readable, clientAuthority: authority))
        } catch {
            faults.append(error)
        }
        return (faults, warnings)
    }

    /// The authorities that vouch for clients' certificates; nil where clients are asked for none.
    func readAuthority() throws(TLSConfigurationError) -> TLSConfiguration.ClientAuthority? {
        guard !clientAuthority.isEmpty else { return nil }
        return TLSConfiguration.ClientAuthority(
            certificates: try TLSCertificateFiles.read(clientAuthority, isSecret: false), mode: clientCertificates,
            name: clientAuthority)
    }
}

extension TLSCertificateFiles {
    /// Why files of the certificate cannot be read, each that cannot.
    fileprivate var unreadable: [TLSConfigurationError] {
        var faults: [TLSConfigurationError] = []
        for (path, isSecret) in [(chain, false), (key, true), (passphrase, true)] {
            guard let path, !(isSecret && path == chain && !faults.isEmpty) else { continue }
            do throws(TLSConfigurationError) {
                _ = try Self.read(path, isSecret: isSecret)
            } catch {
                faults.append(error)
            }
        }
        return faults
    }
}
