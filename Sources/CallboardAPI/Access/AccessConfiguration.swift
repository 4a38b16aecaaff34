import Access
import HTTPServer
import JSONValues

/// Who may use the server (`auth.*`).
package struct AccessConfiguration: Sendable {
    /// Whether credentials are asked for.
    package enum Mode: String, CaseIterable, Sendable {
        /// Whoever reaches the server may do everything.
        case none
        /// What no grant allows is refused.
        case required
    }

    /// Whether credentials are asked for (`auth.mode`; default `none`, with which a server listens on loopback only).
    package var mode = Mode.none
    /// Whether a server without authorization may listen beyond the loopback address (`auth.openToAll`; default false).
    package var isOpenToAll = false
    /// What may be done without a credential (`auth.anonymous`; default nothing). Means nothing with the mode `none`.
    package var anonymous = Grants.nothing
    /// Whose JSON Web Tokens are accepted (`auth.issuers`; default nobody's).
    package var issuers: [IssuerSettings] = []
    /// What clients' certificates allow, which `tls.clientCA` vouches for (`auth.certificates`; default nothing).
    package var certificates: [CertificateGrants] = []

    /// Where requests are noted that change something or are refused (`audit.file`): a path, `-` for standard error; nil,
    /// the default, is nowhere.
    package var auditFile: String?

    /// Makes the defaults.
    package init() {}

    /// Whether the settings alone let somebody do something, so that no first token is needed.
    package var namesSomebody: Bool { !issuers.isEmpty || !certificates.isEmpty || !anonymous.list.isEmpty }

    /// Takes what may be done without a credential from a JSON array of grants.
    ///
    /// - Throws: `GrantError` with the place of what is wrong.
    package mutating func read(anonymous text: String) throws(GrantError) {
        anonymous = try Grants(decoding: Self.document(text).root)
    }

    /// Why a server may not listen as the settings say; nil where it may.
    ///
    /// Without authorization, whoever reaches a server may change it: it then has to be told that this is meant.
    package func fault(of server: ServerConfiguration) -> String? {
        guard mode == .none, !isOpenToAll, !Loopback.holds(server) else { return nil }
        return
            "the address \(server.host) can be reached from other machines, and auth.mode is none: whoever reaches the "
            + "server could read and change everything"
    }
}
