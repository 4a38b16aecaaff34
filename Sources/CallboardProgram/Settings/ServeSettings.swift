import CallboardAPI
import CallboardServer
import Logging

/// Everything that `callboard serve` can be told, each with its default.
struct ServeSettings: Sendable {
    /// How log entries are written.
    enum LogFormat: String, CaseIterable, Sendable {
        /// One line for people.
        case text
        /// One JSON object a line, for machines.
        case json
    }

    /// What the server itself takes.
    var configuration = CallboardConfiguration()
    /// The rights without a credential, as JSON; `configuration` has them as grants.
    var anonymous = "[]"
    /// The issuers of accepted JSON Web Tokens, as JSON; `configuration` has them as issuers.
    var issuers = "[]"
    /// The rights of clients' certificates, as JSON; `configuration` has them as grants.
    var clientGrants = "[]"
    /// Certificates for other names, as JSON; `configuration` has them as files.
    var certificates = "[]"
    /// The least severe entries that are logged.
    var logLevel = Logger.Level.info
    /// How they are written.
    var logFormat = LogFormat.text
}
