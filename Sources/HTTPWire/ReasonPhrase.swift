internal import HTTPTypes

extension HTTPResponse.Status {
    /// The reason phrase of the status line: the status's own or, for one that was made of its code alone, the
    /// registered one (RFC 9110, section 15; RFC 6585; RFC 4918). Empty for a code that is not registered.
    var phrase: String {
        reasonPhrase.isEmpty ? Self.phrases[code] ?? "" : reasonPhrase
    }

    private static let phrases: [Int: String] = {
        let registered: [HTTPResponse.Status] = [
            .ok, .created, .accepted, .noContent, .partialContent, .movedPermanently, .found, .seeOther, .notModified,
            .temporaryRedirect, .permanentRedirect, .badRequest, .unauthorized, .forbidden, .notFound,
            .methodNotAllowed, .notAcceptable, .requestTimeout, .conflict, .gone, .lengthRequired,
            .preconditionFailed, .contentTooLarge, .uriTooLong, .unsupportedMediaType, .rangeNotSatisfiable,
            .expectationFailed, .misdirectedRequest, .unprocessableContent, .tooEarly, .upgradeRequired,
            .preconditionRequired, .tooManyRequests, .requestHeaderFieldsTooLarge, .internalServerError,
            .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
        ]
        var phrases = Dictionary(uniqueKeysWithValues: registered.map { ($0.code, $0.reasonPhrase) })
        phrases[507] = "Insufficient Storage"
        return phrases
    }()
}
