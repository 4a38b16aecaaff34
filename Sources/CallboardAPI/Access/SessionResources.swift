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

extension Principal: AnswerObject {
    /// The principal and its rights, without secrets.
    package static let form = AnswerForm<Principal>(
        AnswerField("principal", "The name in logs.") { $0.name },
        AnswerField("grants") { $0.grants },
        AnswerField("expiresAt") { $0.expiresAt.map { WallTime(seconds: $0) } })
}
