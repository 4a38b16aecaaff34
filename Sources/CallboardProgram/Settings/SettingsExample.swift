import CallboardClient

/// The example settings file: every key with its default, its type, its unit and what it does.
enum SettingsExample {
    /// The file's text; `Config/callboard.json` is this.
    static var text: String {
        var lines = [
            "// Every setting of \"callboard serve\" with its default. Use it with --config, and keep what you change.",
            "// A flag or an environment variable wins over this file. // and /* */ comments are allowed.", "{",
        ]
        let groups = groups
        for (position, group) in groups.enumerated() {
            let isLast = position == groups.count - 1
            if let name = group.name {
                lines.append("    \"\(name)\": {")
                lines += members(group.settings, indent: 8)
                lines.append("    }" + (isLast ? "" : ","))
            } else {
                lines += members(group.settings, indent: 4, isLast: isLast)
            }
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// The settings by the file's objects, in order; a group without a name stands at the top.
    private static var groups: [(name: String?, settings: [Setting])] {
        var groups: [(name: String?, settings: [Setting])] = []
        for setting in Setting.all {
            let parts = setting.key.split(separator: ".")
            let name = parts.count > 1 ? String(parts[0]) : nil
            if let last = groups.indices.last, groups[last].name == name {
                groups[last].settings.append(setting)
            } else {
                groups.append((name, [setting]))
            }
        }
        return groups
    }

    private static func members(_ settings: [Setting], indent: Int, isLast: Bool = true) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let defaults = ServeSettings()
        return settings.enumerated().flatMap { position, setting in
            let name = setting.key.split(separator: ".").last ?? ""
            let comma = isLast && position == settings.count - 1 ? "" : ","
            return [
                "\(margin)// \(setting.summary)", "\(margin)// \(setting.expectation); \(setting.environmentName)",
                "\(margin)\"\(name)\": \(setting.read(defaults).text)\(comma)",
            ]
        }
    }
}
