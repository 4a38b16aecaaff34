import COpenSSL

/// The common part of a server's sessions: certificates, chosen by the name that a client asks for, and rules.
///
/// It never changes: new certificates need a new context, for new sessions; open sessions keep theirs. TLS 1.2 and
/// 1.3, without renegotiation, compression and early data. Sessions are resumed by tickets; the server remembers none.
package final class TLSContext: Sendable {
    /// How many seconds a ticket is good for, and where clients show certificates, which a ticket stands for.
    private static let ticketLifetime = (plain: 8 * 3600, withClientCertificate: 3600)

    /// The certificates, in the configuration's order.
    package let certificates: [TLSCertificateInfo]
    /// The authorities that clients' certificates may come from.
    package let clientAuthorities: [TLSCertificateInfo]
    /// The keys of its session tickets.
    package let ticketKeys: TLSTicketKeys
    /// The callbacks' argument, which the library's contexts point to.
    private let choices: SessionChoices

    /// Reads certificates and keys.
    ///
    /// - Parameter ticketKeys: The ticket keys of the context before, so that its tickets stay valid.
    package init(
        _ configuration: TLSConfiguration, ticketKeys: TLSTicketKeys = TLSTicketKeys()
    ) throws(TLSConfigurationError) {
        guard !configuration.certificates.isEmpty else { throw .noCertificates }
        var contexts: [CertificateContext] = []
        for certificate in configuration.certificates {
            contexts.append(try CertificateContext(certificate))
        }
        let choices = SessionChoices(
            contexts: contexts, protocols: try Self.list(configuration.applicationProtocols), ticketKeys: ticketKeys)
        clientAuthorities = try Self.requireClients(of: configuration.clientAuthority, in: contexts)
        let lifetime =
            configuration.clientAuthority == nil ? Self.ticketLifetime.plain : Self.ticketLifetime.withClientCertificate
        // Tickets of a server with other rules for clients are not resumed.
        let rules = Self.digest(of: configuration.clientAuthority)
        for context in contexts {
            choices.install(in: context.pointer)
            // SAFETY: nobody else knows the context yet; the library copies the 32 bytes.
            SSL_CTX_set_timeout(context.pointer, lifetime)
            SSL_CTX_set_session_id_context(context.pointer, rules, UInt32(rules.count))
        }
        certificates = contexts.map(\.info)
        self.ticketKeys = ticketKeys
        self.choices = choices
    }

    /// The context that every session begins with.
    var defaultContext: OpaquePointer { choices.contexts[0].pointer }

    /// The certificate that a client gets who asks for this name; the first one where none has the name.
    package func certificate(for name: String) -> TLSCertificateInfo {
        certificates[choices.table.index(of: name) ?? 0]
    }

    private static func requireClients(
        of authority: TLSConfiguration.ClientAuthority?, in contexts: [CertificateContext]
    ) throws(TLSConfigurationError) -> [TLSCertificateInfo] {
        guard let authority else { return [] }
        let certificates = try PEM.certificates(in: authority.certificates, name: authority.name)
        for context in contexts { context.requireClients(of: certificates, mode: authority.mode) }
        return certificates.map { TLSCertificateInfo(of: $0.pointer, name: authority.name) }
    }

    /// The list as it travels: each protocol with its length before it (RFC 7301, section 3.1).
    private static func list(_ protocols: [String]) throws(TLSConfigurationError) -> [UInt8] {
        var bytes: [UInt8] = []
        for name in protocols {
            guard let count = UInt8(exactly: name.utf8.count), count > 0 else { throw .applicationProtocol(name) }
            bytes.append(count)
            bytes += name.utf8
        }
        return bytes
    }

    private static func digest(of authority: TLSConfiguration.ClientAuthority?) -> [UInt8] {
        let text = Array((authority?.mode.rawValue ?? "none").utf8) + [0] + (authority?.certificates ?? [])
        var digest = [UInt8](repeating: 0, count: Int(COPENSSL_SHA256_BYTES))
        // SAFETY: the library reads within the count and writes 32 bytes.
        _ = copenssl_sha256(text, text.count, &digest)
        return digest
    }
}
