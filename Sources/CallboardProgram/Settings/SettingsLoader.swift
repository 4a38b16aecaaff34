import Access
import CallboardAPI
import CallboardClient
import CallboardServer
import Configuration
import Logging

/// Puts settings together: flags first, then the environment, then the file, then the defaults.
struct SettingsLoader {
    /// The values of the command line, by key.
    var flags: [String: SettingValue] = [:]
    /// The environment's variables.
    var environment: [String: String] = [:]
    /// The settings file, if there is one.
    var file: SettingsFile?

    /// The flags that stand for settings, by key.
    static let flagNames = [
        "server.host": "--host", "server.port": "--port", "server.unixSocket": "--unix-socket",
        "server.unixSocketAccess": "--unix-socket-access", "data": "--data",
        "journal.url": "--journal-url",
        "log.level": "--log-level", "log.format": "--log-format",
    ]

    /// A place that settings come from, with the name that messages give a setting there, its value included.
    private struct Source {
        let provider: any ConfigProvider
        let name: (Setting) -> String
    }

    /// The settings.
    ///
    /// - Throws: ``ProgramError`` for a value that its key does not take, and for a variable that is no setting's.
    func load() throws -> ServeSettings {
        let (settings, faults) = examined()
        if let fault = faults.first { throw fault }
        return settings
    }

    /// The settings, and everything that is wrong with them; a value that cannot be taken leaves its default.
    ///
    /// Of other files only that of the nodes' secret is read.
    func examined() -> (settings: ServeSettings, faults: [ProgramError]) {
        var settings = ServeSettings()
        var faults = (file?.faults ?? []) + EnvironmentNames.faults(in: environment)
        read(Setting.all, into: &settings, faults: &faults)
        faults += Self.readLists(of: &settings)
        faults += SettingsRules.faults(in: settings)
        return (settings, faults)
    }

    /// The store of content; no other setting is looked at.
    ///
    /// - Throws: As ``load()`` does.
    func storage() throws -> StorageConfiguration { try places().storage }

    /// The store of content, and the file of the audit, if there is one; no other setting is looked at.
    ///
    /// - Throws: As ``load()`` does.
    func places() throws -> (storage: StorageConfiguration, audit: String?) {
        try EnvironmentNames.check(environment)
        var settings = ServeSettings()
        var faults: [ProgramError] = []
        let names = ["data", "journal.url", "audit.file"]
        read(Setting.all.filter { names.contains($0.key) }, into: &settings, faults: &faults)
        if let fault = faults.first { throw fault }
        return (settings.configuration.storage, settings.configuration.access.auditFile)
    }

    /// Takes some settings from where they stand, the flags first.
    private func read(_ names: [Setting], into settings: inout ServeSettings, faults: inout [ProgramError]) {
        let sources = [
            Source(provider: Self.provider("flags", flags)) { setting in
                let value = flags[setting.key].map { " is \($0.description)" } ?? ""
                return (Self.flagNames[setting.key] ?? setting.key) + value
            },
            Source(
                provider: EnvironmentVariablesProvider(environmentVariables: environment)
                    .prefixKeys(with: "callboard")
            ) { setting in
                "\(setting.environmentName) is \"\(environment[setting.environmentName] ?? "")\""
            },
            Source(provider: Self.provider("file", file?.values ?? [:])) { "\(file?.path ?? ""): \($0.key)" },
        ]
        for setting in names {
            for source in sources {
                do throws(ProgramError) {
                    guard let value = try value(of: setting, from: source) else { continue }
                    setting.write(&settings, value)
                } catch {
                    faults.append(error)
                }
                break
            }
        }
    }

    /// Takes what the settings that are lists of objects say.
    private static func readLists(of settings: inout ServeSettings) -> [ProgramError] {
        var faults: [ProgramError] = []
        /// Notes a fault of a list; `form` is what the list has to be.
        func read(_ key: String, _ form: String, _ body: () throws(GrantError) -> Void) {
            do throws(GrantError) {
                try body()
            } catch {
                faults.append(
                    ProgramError(
                        "\(key)\(error.pointer): \(error.detail)", advice: "it is \(form)", status: .configuration))
            }
        }
        read("auth.anonymous", #"a list of grants, such as [{"actions": ["read"], "directors": ["menu-*"]}]"#) {
            () throws(GrantError) in
            try settings.configuration.access.read(anonymous: settings.anonymous)
        }
        read(
            "auth.issuers",
            #"a list such as [{"issuer": "https://id.example", "audience": "callboard", "algorithms": ["ES256"], "#
                + #""jwksURL": "https://id.example/keys"}]"#
        ) { () throws(GrantError) in try settings.configuration.access.read(issuers: settings.issuers) }
        read(
            "auth.certificates",
            #"a list such as [{"name": "till-*", "grants": [{"actions": ["read"], "directors": ["*"]}]}]"#
        ) { () throws(GrantError) in try settings.configuration.access.read(certificates: settings.clientGrants) }
        read("tls.certificates", #"a list such as [{"certificate": "shop.pem", "key": "shop-key.pem"}]"#) {
            () throws(GrantError) in
            try settings.configuration.tls.read(certificates: settings.certificates)
        }
        return faults
    }

    private func value(of setting: Setting, from source: Source) throws(ProgramError) -> SettingValue? {
        let key = AbsoluteConfigKey(setting.key.split(separator: ".").map(String.init))
        let found: ConfigValue?
        do {
            found = try source.provider.value(forKey: key, type: setting.kind.configurationType).value
        } catch {
            throw fault(setting, source)
        }
        guard let content = found?.content else { return nil }
        let value = setting.kind == .objects ? SettingValue(objects: content) : SettingValue(content)
        guard let value, setting.accepts(value) else { throw fault(setting, source) }
        return value
    }

    private func fault(_ setting: Setting, _ source: Source) -> ProgramError {
        ProgramError(
            "\(source.name(setting)) but has to be \(setting.expectation)",
            advice: "it is the setting \(setting.key): \(setting.summary)", status: .configuration)
    }

    private static func provider(_ name: String, _ values: [String: SettingValue]) -> InMemoryProvider {
        var content: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in values {
            let components = key.split(separator: ".").map(String.init)
            content[AbsoluteConfigKey(components)] = ConfigValue(value.configurationContent, isSecret: false)
        }
        return InMemoryProvider(name: name, values: content)
    }
}

extension Setting.Kind {
    fileprivate var configurationType: ConfigType {
        switch self {
        case .text, .choice: .string
        case .integer: .int
        case .number: .double
        case .texts: .stringArray
        case .numbers: .doubleArray
        case .flag: .bool
        case .objects: .string
        }
    }
}

extension Setting {
    /// Whether the value is in the setting's range.
    fileprivate func accepts(_ value: SettingValue) -> Bool {
        switch (kind, value) {
        case (.text, .text), (.texts, .texts), (.flag, .flag): true
        case (.objects, .objects(let text)): (try? JSON(parsing: Array(text.utf8)))?.arrayValue != nil
        case (.choice(let words), .text(let word)): words.contains(word)
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.number(let range), .number(let number)): range.contains(number)
        case (.numbers(let range), .numbers(let numbers)): numbers.allSatisfy(range.contains)
        default: false
        }
    }
}

extension SettingValue {
    fileprivate var configurationContent: ConfigContent {
        switch self {
        case .text(let value): .string(value)
        case .integer(let value): .int(value)
        case .number(let value): .double(value)
        case .texts(let value): .stringArray(value)
        case .numbers(let value): .doubleArray(value)
        case .flag(let value): .bool(value)
        case .objects(let value): .string(value)
        }
    }

    /// The text of a JSON array.
    fileprivate init?(objects content: ConfigContent) {
        guard case .string(let text) = content else { return nil }
        self = .objects(text)
    }

    fileprivate init?(_ content: ConfigContent) {
        switch content {
        case .string(let value): self = .text(value)
        case .int(let value): self = .integer(value)
        case .double(let value): self = .number(value)
        case .stringArray(let value): self = .texts(value)
        case .doubleArray(let value): self = .numbers(value)
        case .bool(let value): self = .flag(value)
        default: return nil
        }
    }
}
