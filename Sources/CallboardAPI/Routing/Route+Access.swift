import HTTPTypes

extension Route {
    private static let tokens = "/v1/tokens"

    /// Static tokens.
    static let access: [Route] = [
        Route(
            method: .get, path: PathTemplate(tokens), requires: .server(.operate), operationID: "listTokens",
            summary: "Lists the static tokens, oldest first, without their texts.", query: [.offset, .limit],
            answers: [.json(200, "A page of tokens.", "TokenList")],
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
            answers: [.json(200, "The token.", "Token")],
            action: .service { call, application throws(Problem) in try application.readToken(call) }),
        Route(
            method: .delete, path: PathTemplate(tokens + "/{token}"), requires: .server(.operate),
            operationID: "revokeToken", summary: "Revokes a static token; streams that it opened end within 2 seconds.",
            answers: [.empty(204, "It is good no longer.")], failures: [noRoom],
            action: .service { call, application throws(Problem) in try application.revokeToken(call) }),
    ]

    private static let noRoom = Answer.empty(507, "There is no room to store that.")
}
