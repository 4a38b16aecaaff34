import COpenSSL

/// The certificates, protocols and ticket keys that the library's callbacks choose from during a handshake.
final class SessionChoices: @unchecked Sendable {
    // SAFETY: everything is constant, and the memory of the protocols is freed when nothing refers to this object. The
    // library's contexts point to it without a reference; a session keeps the `TLSContext` that holds it.

    let contexts: [CertificateContext]
    let table: NameTable
    private let ticketKeys: TLSTicketKeys
    private let protocols: UnsafeMutableBufferPointer<UInt8>

    init(contexts: [CertificateContext], protocols: [UInt8], ticketKeys: TLSTicketKeys) {
        self.contexts = contexts
        self.ticketKeys = ticketKeys
        table = NameTable(contexts.map(\.info))
        // SAFETY: filled at once, freed in deinit. The library points into it while it answers a client.
        self.protocols = .allocate(capacity: protocols.count)
        _ = self.protocols.initialize(from: protocols)
    }

    deinit {
        // SAFETY: no session is left.
        protocols.deallocate()
    }

    /// Has a context call this object, which has to outlive its sessions.
    func install(in context: OpaquePointer) {
        let argument = Unmanaged.passUnretained(self).toOpaque()
        // SAFETY: nobody else knows the context yet, and the argument outlives its sessions.
        SSL_CTX_set_ex_data(context, 0, argument)
        if contexts.count > 1 { copenssl_set_name_callback(context, Self.chooseCertificate, argument) }
        if !protocols.isEmpty { SSL_CTX_set_alpn_select_cb(context, Self.chooseProtocol, argument) }
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context, Self.useTicketKey)
        SSL_CTX_set_session_ticket_cb(context, nil, Self.acceptTicket, nil)
        SSL_CTX_set_msg_callback(context, Self.countMessage)
    }

    // MARK: Callbacks

    private typealias NameCallback =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?
        ) -> Int32

    /// Chooses the certificate by the name that the client asks for (RFC 6066, section 3).
    private static let chooseCertificate: NameCallback = { tls, _, argument in
        // SAFETY: the library's own text, copied at once; the argument is the one of `install`.
        guard let argument, let text = SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name) else {
            return SSL_TLSEXT_ERR_NOACK
        }
        let choices = Unmanaged<SessionChoices>.fromOpaque(argument).takeUnretainedValue()
        guard let index = choices.table.index(of: String(cString: text)) else { return SSL_TLSEXT_ERR_NOACK }
        if index > 0, SSL_set_SSL_CTX(tls, choices.contexts[index].pointer) == nil {
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }
        return SSL_TLSEXT_ERR_OK
    }

    private typealias ProtocolCallback =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> Int32

    /// Chooses the first protocol of the server's that the client offers (RFC 7301, section 3.2).
    private static let chooseProtocol: ProtocolCallback = { _, chosen, count, offered, offeredCount, argument in
        guard let argument, let chosen else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let protocols = Unmanaged<SessionChoices>.fromOpaque(argument).takeUnretainedValue().protocols
        var found: UnsafeMutablePointer<UInt8>?
        // SAFETY: the library has checked the client's list; what is found points into one of the lists, and the library
        // copies it at once.
        let result = SSL_select_next_proto(
            &found, count, protocols.baseAddress, UInt32(protocols.count), offered, offeredCount)
        guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        chosen.pointee = UnsafePointer(found)
        return SSL_TLSEXT_ERR_OK
    }

    private typealias TicketKeyCallback =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, OpaquePointer?,
            Int32
        ) -> Int32

    /// Seals a ticket (1), or opens one: 1 keeps it in use, 2 gives the client another, 0 means that no key opens it.
    ///
    /// In TLS 1.3 a ticket is used once (RFC 8446, appendix C.4), so that each resumed connection gives a new one. In TLS
    /// 1.2 a ticket is replaced where an older key has sealed it.
    private static let useTicketKey: TicketKeyCallback = { tls, name, vector, cipher, code, seals in
        // SAFETY: the context's data is the one of `install`; the library has 16 bytes for the name and the vector.
        guard let name, let vector, let data = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(tls), 0) else { return -1 }
        let keys = Unmanaged<SessionChoices>.fromOpaque(data).takeUnretainedValue().ticketKeys
        if seals == 1 {
            guard let key = keys.sealing(), RAND_bytes(vector, 16) == 1 else { return -1 }
            name.update(from: key.name, count: TicketKey.nameCount)
            return key.prepare(cipher: cipher, code: code, vector: vector, seals: true) ? 1 : -1
        }
        guard let key = keys.opening(name: UnsafeRawBufferPointer(start: name, count: TicketKey.nameCount)),
            key.prepare(cipher: cipher, code: code, vector: vector, seals: false)
        else { return 0 }
        return SSL_version(tls) < TLS1_3_VERSION && key === keys.sealing() ? 1 : 2
    }

    private typealias TicketCallback =
        @convention(c) (
            OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, Int, SSL_TICKET_STATUS, UnsafeMutableRawPointer?
        ) -> SSL_TICKET_RETURN

    /// Resumes a session that a ticket names, unless the certificate that the client showed in it has expired since.
    private static let acceptTicket: TicketCallback = { _, session, _, _, status, _ in
        // SAFETY: only looks; the certificate belongs to the session.
        if session != nil, let certificate = session.flatMap({ SSL_SESSION_get0_peer($0) }),
            X509_cmp_current_time(X509_get0_notAfter(certificate)) <= 0
        {
            return SSL_TICKET_RETURN_IGNORE_RENEW
        }
        switch status {
        case SSL_TICKET_SUCCESS: return SSL_TICKET_RETURN_USE
        case SSL_TICKET_SUCCESS_RENEW: return SSL_TICKET_RETURN_USE_RENEW
        case SSL_TICKET_EMPTY, SSL_TICKET_NO_DECRYPT: return SSL_TICKET_RETURN_IGNORE_RENEW
        default: return SSL_TICKET_RETURN_ABORT
        }
    }

    private typealias MessageCallback =
        @convention(c) (
            Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> Void

    /// Counts the handshake messages that are received in the pipe of the call that is under way.
    private static let countMessage: MessageCallback = { isSent, _, type, _, _, tls, _ in
        // SAFETY: the stream's data is that pipe, or nil outside of a call.
        guard isSent == 0, type == SSL3_RT_HANDSHAKE, let data = BIO_get_data(SSL_get_rbio(tls)) else { return }
        data.assumingMemoryBound(to: RecordPipe.self).pointee.messages += 1
    }
}
