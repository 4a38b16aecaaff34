/// Whether the server gives its console to browsers (`console.enabled`).
///
/// The console's files hold no data: what it shows comes from the API, each page by the right of who looks.
package enum ConsoleSetting: String, CaseIterable, Sendable {
    /// The console is there if credentials are required, or if only this machine reaches the server.
    case auto
    /// Always.
    case yes = "true"
    /// Never.
    case no = "false"
}

extension APIConfiguration {
    /// Whether a server with these settings has a console.
    ///
    /// With `auto`, a server that other machines may change without a credential has no console: its operator has
    /// opened it to programs, not to visitors.
    package var hasConsole: Bool {
        switch console {
        case .auto: access.mode == .required || Loopback.holds(server)
        case .yes: true
        case .no: false
        }
    }
}
