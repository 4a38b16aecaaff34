import CallboardAPI
import CallboardClient
import JournalPostgres

/// The output of `serve --check-config`: all faults, or the settings in force.
struct SettingsReport {
    private let settings: ServeSettings
    private let faults: [ProgramError]
    private let warnings: [String]

    /// Examines the settings that a loader puts together, and what they name on this machine.
    init(of loader: SettingsLoader) {
        let (settings, faults) = loader.examined()
        let surroundings = SettingsSurroundings(of: settings.configuration)
        self.init(settings, faults: faults + surroundings.faults, warnings: surroundings.warnings)
    }

    /// A report of an unreadable file: its settings are unknown, and nothing else is examined.
    init(unreadable fault: ProgramError) {
        self.init(ServeSettings(), faults: [fault], warnings: [])
    }

    private init(_ settings: ServeSettings, faults: [ProgramError], warnings: [String]) {
        (self.settings, self.faults, self.warnings) = (settings, faults, warnings)
    }

    /// 0, or 78 where something is wrong.
    var status: ExitStatus { faults.isEmpty ? .success : .configuration }

    /// The faults and the warnings, for people.
    var complaints: [String] {
        faults.map { "callboard: \($0)" } + warnings.map { "callboard: warning: \($0)" }
    }

    /// Each setting with the value in force, a line each.
    var lines: [String] { Setting.all.map { "\($0.key) = \(value(of: $0).text)" } }

    /// The report as one object; `settings` has the form of a settings file, and stands there if nothing is wrong.
    var json: JSON {
        var members: [(String, JSON)] = [
            ("valid", .bool(faults.isEmpty)),
            (
                "errors",
                .array(
                    faults.map { fault in
                        .object(
                            JSONObject(
                                [("message", JSON.string(fault.message))]
                                    + (fault.advice.map { [("advice", .string($0))] } ?? [])))
                    })
            ),
            ("warnings", .array(warnings.map { .string($0) })),
        ]
        if faults.isEmpty { members.append(("settings", nested)) }
        return .object(JSONObject(members))
    }

    private var nested: JSON {
        var groups: [(name: String, members: [(String, JSON)])] = []
        for setting in Setting.all {
            let parts = setting.key.split(separator: ".").map(String.init)
            guard parts.count > 1 else {
                groups.append((parts[0], []))
                continue
            }
            let index = groups.firstIndex { $0.name == parts[0] } ?? groups.endIndex
            if index == groups.endIndex { groups.append((parts[0], [])) }
            groups[index].members.append((parts[1], value(of: setting)))
        }
        return .object(
            JSONObject(
                groups.map { name, members in
                    (name, Setting.named(name).map(value) ?? .object(JSONObject(members)))
                }))
    }

    /// A setting's value. The database's URL may have a password, and is shown without.
    private func value(of setting: Setting) -> JSON {
        let storage = settings.configuration.storage
        guard setting.key == "journal.url", storage.isDatabase else { return setting.read(settings) }
        return .string((try? DatabaseAddress(storage.url)).map { "\($0)" } ?? "")
    }
}

extension ServeCommand {
    /// Says what is wrong on standard error, or the settings in force on standard output; with `--json` all in one object.
    func check(environment: [String: String]) -> ExitStatus {
        let report: SettingsReport
        do {
            let file = try Self.file(config: config, environment: environment)
            report = SettingsReport(of: SettingsLoader(flags: flags, environment: environment, file: file))
        } catch {
            report = SettingsReport(
                unreadable: error as? ProgramError ?? ProgramError("\(error)", status: .configuration))
        }
        if json {
            Output.json(report.json.text)
        } else {
            for complaint in report.complaints { Output.error(complaint) }
            if report.status == .success { Output.text(report.lines.map { $0 + "\n" }.joined()) }
        }
        return report.status
    }
}
