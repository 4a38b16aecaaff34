import Access
import Directors
import HTTPTypes
import JSONValues

extension Application {
    /// `POST /v1/session`: puts the request's token into the session cookie.
    ///
    /// - Throws: 401 without a token in Authorization, 422 for one that no browser would keep.
    func beginSession(_ call: Call) throws(Problem) {
        guard !access.isOpen else { return call.answer(Reply(body: call.principal.encoded)) }
        guard case .field(let field)? = try PresentedCredential(of: call.exchange.head) else {
            throw .credentialMissing
        }
        let token = try PresentedCredential.token(in: field)
        guard token.utf8.count <= SessionCookie.tokenLimit else {
            throw .unprocessable(
                "The token has \(token.utf8.count) bytes, and browsers keep cookies of \(SessionCookie.tokenLimit) "
                    + "only. Have its issuer leave something out, or send it as Authorization: Bearer TOKEN.")
        }
        let lifetime = call.principal.expiresAt.map { max(0, $0 - access.now) }
        call.answer(
            Reply(
                body: call.principal.encoded, isStorable: false,
                cookie: SessionCookie.setting(token, lifetime: lifetime)))
    }

    /// `GET /v1/session`: who asks, and what they may do.
    func readSession(_ call: Call) {
        call.answer(Reply(body: call.principal.encoded, isStorable: false))
    }

    /// `DELETE /v1/session`: has the browser forget the token, which stays good.
    func endSession(_ call: Call) {
        var reply = Reply.noContent(etag: nil)
        reply.cookie = SessionCookie.clearing
        call.answer(reply)
    }
}

extension Principal {
    /// The principal and its rights as JSON, without secrets.
    fileprivate var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("principal", name)
            writer.key("grants")
            grants.encode(to: &writer)
            writer.key("expiresAt")
            writer.time(expiresAt)
        }
        return writer.bytes
    }
}

extension JSONWriter {
    /// A time in seconds since 1970 as a date in UTC, or null.
    mutating func time(_ seconds: Int?) {
        guard let seconds else { return null() }
        string(WallTime(seconds: seconds).description)
    }
}
