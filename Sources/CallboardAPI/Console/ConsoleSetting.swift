/// Whether the server gives its console to browsers (`console.enabled`).
///
/// The console's files hold no data: what it shows comes from the API, each page by the right of who looks.
package enum ConsoleSetting: String, CaseIterable, Sendable {
    /// Where credentials are asked for, and where only this machine reaches the server.
    case auto
    /// Always.
    case yes = "true"
    /// Never.
    case no = "false"
}

extension CallboardConfiguration {
    /// Whether a server with these settings has a console.
    ///
    /// With `auto`, a server that everybody may change from other machines has none: its operators have said that
    /// programs may reach it, not that it is to invite people.
    package var hasConsole: Bool {
        switch console {
        case .auto: access.mode == .required || Loopback.holds(server)
        case .yes: true
        case .no: false
        }
    }
}
