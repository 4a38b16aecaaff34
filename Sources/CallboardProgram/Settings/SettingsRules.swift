import CallboardAPI

/// The rules about values of several settings.
enum SettingsRules {
    /// Every rule that the settings break.
    static func faults(in settings: ServeSettings) -> [ProgramError] {
        let configuration = settings.configuration
        var faults: [ProgramError] = []
        func note(_ message: String, _ advice: String) {
            faults.append(ProgramError(message, advice: advice, status: .configuration))
        }
        let storage = configuration.storage
        let cluster = configuration.cluster
        if let fault = cluster.fault(isDatabase: storage.isDatabase) {
            note(fault.fault, fault.advice)
        } else if cluster.isOn {
            do {
                _ = try cluster.secret()
            } catch {
                note("\(error)", "all nodes share one secret")
            }
        }
        if let fault = configuration.tls.fault {
            note(fault, "tls.certificate and tls.key go together, as --tls-certificate and --tls-key do")
        }
        if storage.data.isEmpty {
            note("data is empty, but it has to name a folder", "--data memory keeps content in memory only")
        }
        if storage.isDatabase, storage.durability != .full {
            note(
                "journal.durability is \"normal\", and journal.url names a database, whose commits are always waited for",
                "leave journal.durability out")
        }
        if configuration.access.mode == .required, storage.isMemory, !configuration.access.namesSomebody {
            note(
                "auth.mode is required, but nobody can have a token: content is kept in memory, without any token",
                "name a folder with --data, where the first start leaves a token, or set auth.issuers")
        }
        if let fault = configuration.hooks.allowFault {
            note(fault, "\"auto\" allows loopback while the server listens there only, [] nothing at all")
        }
        if configuration.feed.retryMin > configuration.feed.retryMax {
            note("feed.retryMin is larger than feed.retryMax", "clients are told a time between the two")
        }
        return faults
    }
}
