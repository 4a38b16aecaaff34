import Access
import HTTPServer
import JSONValues

/// The settings of access to the server (`auth.*`).
package struct AccessConfiguration: Sendable {
    /// Whether credentials are asked for.
    package enum Mode: String, CaseIterable, Sendable {
        /// Every client that reaches the server has all rights.
        case none
        /// An action that no grant allows is refused.
        case required
    }

    /// Whether credentials are asked for (`auth.mode`; default `none`, with which a server listens on loopback only).
    package var mode = Mode.none
    /// Whether a server without authorization may listen beyond the loopback address (`auth.openToAll`; default false).
    package var isOpenToAll = false
    /// The rights without a credential (`auth.anonymous`; default none). Means nothing with the mode `none`.
    package var anonymous = Grants.nothing
    /// The issuers of accepted JSON Web Tokens (`auth.issuers`; default none).
    package var issuers: [IssuerSettings] = []
    /// The rights of clients' certificates, which `tls.clientCA` vouches for (`auth.certificates`; default none).
    package var certificates: [CertificateGrants] = []

    /// The audit log of requests that change something or are refused (`audit.file`): a path, `-` for standard error;
    /// nil, the default, for none.
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
            "other machines can reach the address \(server.host), and auth.mode is none: every client could read and "
            + "change everything"
    }
}
