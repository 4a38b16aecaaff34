import HTTPTypes

extension Route {
    private static let tokens = "/v1/tokens"

    private static let session = "/v1/session"

    /// Static tokens, browsers' sessions and stream tickets.
    static let access: [Route] = [
        Route(
            method: .get, path: PathTemplate(tokens), requires: .server(.operate), operationID: "listTokens",
            summary: "Lists the static tokens, oldest first, without their texts.", query: [.offset, .limit],
            answers: [.json(200, "A page of tokens.", "TokenList")], scope: .everything,
            action: .service { call, application in application.listTokens(call) }),
        Route(
            method: .post, path: PathTemplate(tokens), requires: .server(.operate), operationID: "createToken",
            summary: "Makes a static token; this answer alone shows its text.",
            details: "The server keeps nothing but a digest of it. Who may do this may make a token with any right.",
            body: .json("TokenInput"),
            answers: [.json(201, "The token with its text.", "NewToken")], failures: [noRoom],
            action: .service { call, application throws(Problem) in try application.createToken(call) }),
        Route(
            method: .get, path: PathTemplate(tokens + "/{token}"), requires: .server(.operate),
            operationID: "readToken", summary: "Reads a static token, without its text.",
            answers: [.json(200, "The token.", "Token")], scope: .everything,
            action: .service { call, application throws(Problem) in try application.readToken(call) }),
        Route(
            method: .delete, path: PathTemplate(tokens + "/{token}"), requires: .server(.operate),
            operationID: "revokeToken", summary: "Revokes a static token; streams that it opened end within 2 seconds.",
            answers: [.empty(204, "It is good no longer.")], failures: [noRoom], scope: .everything,
            action: .service { call, application throws(Problem) in try application.revokeToken(call) }),
        Route(
            method: .get, path: PathTemplate("/v1/issuers"), requires: .server(.operate), operationID: "listIssuers",
            summary: "Lists whose JSON Web Tokens are accepted, and how their keys are.",
            answers: [.json(200, "The issuers, as the settings name them.", "IssuerList")],
            action: .service { call, application in application.listIssuers(call) }),
        Route(
            method: .get, path: PathTemplate(session), requires: .nothing, operationID: "readSession",
            summary: "Tells the client's name and its rights.",
            answers: [.json(200, "The client and its rights.", "Session")],
            failures: refusals,
            action: .service { call, application in application.readSession(call) }),
        Route(
            method: .post, path: PathTemplate(session), requires: .nothing, operationID: "beginSession",
            summary: "Puts the request's bearer token into a cookie, so that a browser's pages need not keep it.",
            details: "The cookie `\(SessionCookie.name)` is HttpOnly, Secure and SameSite=Strict. Requests with it "
                + "that change something have to come from this server's own pages, or from an origin in `cors.origins`. "
                + "It ends with the token, and is taken back with the first answer after that. A server that asks "
                + "nobody sets none.",
            answers: [.json(200, "The client that has begun the session.", "Session")],
            failures: refusals + [.empty(422, "The token is too long for a cookie.")],
            action: .service { call, application throws(Problem) in try application.beginSession(call) }),
        Route(
            method: .delete, path: PathTemplate(session), requires: .nothing, operationID: "endSession",
            summary: "Takes the cookie back. The token in it stays good.",
            answers: [.empty(204, "The browser forgets it.")], failures: refusals,
            action: .service { call, application in application.endSession(call) }),
        Route(
            method: .post, path: PathTemplate("/v1/stream-tickets"), requires: .filtered(.read),
            operationID: "createTicket",
            summary: "Makes a ticket that opens event streams of some directors, for pages that can set no field.",
            details: "It opens streams as `?ticket=` for \(Application.ticketLifetime) seconds, and nothing else; they "
                + "go on until the credential that it was made with ends. Servers do not log it.",
            body: .json("StreamTicketInput"),
            answers: [.json(201, "The ticket.", "StreamTicket")],
            failures: [.empty(404, "One of the directors may not be read.")],
            action: .service { call, application throws(Problem) in try application.createTicket(call) }),
    ]

    /// A route without a required right answers this to an invalid credential.
    private static let refusals: [Answer] = [
        .empty(401, "A credential is needed, or the one that was sent is not good: see `WWW-Authenticate`."),
        .empty(429, "Too many credentials were not good; see `Retry-After`."),
    ]

    private static let noRoom = Answer.empty(507, "There is no room to store that.")
}
