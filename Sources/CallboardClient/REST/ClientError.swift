import Foundation

/// Why a call did not do what it was asked to.
public enum ClientError: Error, Sendable, Hashable {
    /// The server refused the request and said why; 401 and 403 have cases of their own.
    case problem(Problem)
    /// The server wants a credential, or does not accept the one that it got (401), and said why. Also what ends a
    /// stream whose token is over where there is no provider of another.
    case unauthorized(Problem)
    /// The credential does not give the right that the request needs (403); the problem names the right. Also what ends
    /// a stream whose director may not be read any more.
    case forbidden(Problem)
    /// The server was not reached, or the connection broke before the answer was complete.
    case unreachable(url: String, reason: String)
    /// The server's certificate is not trusted; a ``CertificateAuthority`` of the transport's may vouch for it. Also what a
    /// stream throws that has never been connected.
    case untrusted(url: String, reason: String)
    /// The server answered something that this client does not understand.
    case unexpectedAnswer(status: Int, reason: String)
    /// The answer is longer than ``Callboard/Configuration/maximumAnswerLength``.
    case answerTooLong(limit: Int)
    /// The server's address cannot be used.
    case invalidServer(String)
    /// A token has characters that a token cannot have; the reason quotes none of them.
    case invalidToken(reason: String)
    /// The name of a mutation is not 1 to 64 visible ASCII characters.
    case invalidCause(String)
    /// The key of a `POST` is not 1 to 255 visible ASCII characters.
    case invalidIdempotencyKey(String)

    /// The server's own words about a refusal, or nil for any other error.
    public var problem: Problem? {
        switch self {
        case .problem(let problem), .unauthorized(let problem), .forbidden(let problem): problem
        default: nil
        }
    }

    /// The status of the server's answer, or nil where there was none.
    public var status: Int? {
        switch self {
        case .problem(let problem), .unauthorized(let problem), .forbidden(let problem): problem.status
        case .unexpectedAnswer(let status, _): status
        case .unreachable, .untrusted, .answerTooLong, .invalidServer, .invalidToken, .invalidCause,
            .invalidIdempotencyKey:
            nil
        }
    }

    /// Whether trying again cannot help: a Callboard server itself has refused the request, and not for the moment only.
    ///
    /// Whatever else answers in the server's place passes: a page of a portal, a router's 404, a status of a proxy's own.
    package var isFinal: Bool {
        guard let problem, problem.isCallboards, !problem.isInProgress else { return false }
        return problem.status < 500
            ? ![408, 425, 429].contains(problem.status) : [501, 505].contains(problem.status)
    }

    /// Whether something else has answered in a Callboard server's place, such as a proxy or a portal.
    public var isIntermediarys: Bool {
        switch self {
        case .problem(let problem), .unauthorized(let problem), .forbidden(let problem): !problem.isCallboards
        case .unexpectedAnswer: true
        default: false
        }
    }

    /// How much of a refusal's body is read.
    private static let problemLimit = 4 << 20

    /// Reads what a refusal says.
    init(refusal response: TransportResponse) async throws {
        let body = try await response.collect(limit: ClientError.problemLimit)
        self.init(status: response.status, fields: response.fields, body: body)
    }

    /// Reads what a refusal says.
    ///
    /// - Parameter fields: the header fields, their names in lower case.
    init(status: Int, fields: [String: String], body: [UInt8]) {
        let value = MediaType(fields["content-type"]).isJSON ? try? JSON(parsing: body) : nil
        let excerpt = String(decoding: body.prefix(200), as: UTF8.self)
        switch (status, value) {
        case (401, let value):
            let reason = fields["www-authenticate"].flatMap(Problem.reason(inChallenge:)) ?? excerpt
            self = .unauthorized(Problem(value ?? Problem.value(detail: reason), status: status))
        case (403, let value):
            self = .forbidden(Problem(value ?? Problem.value(detail: excerpt), status: status))
        case (_, let value?): self = .problem(Problem(value, status: status))
        case (_, nil):
            self = .unexpectedAnswer(status: status, reason: excerpt.isEmpty ? "no reason was given" : excerpt)
        }
    }
}

extension ClientError: CustomStringConvertible, LocalizedError {
    /// The error, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .problem(let problem): problem.description
        case .unauthorized(let problem):
            "not authorized: \(problem); give the client a credential that the server accepts"
        case .forbidden(let problem): "not permitted: \(problem); use a credential that has this right"
        case .unreachable(let url, let reason): "\(url) cannot be reached: \(reason)"
        case .untrusted(let url, let reason): "the certificate of \(url) is not trusted: \(reason)"
        case .unexpectedAnswer(let status, let reason): "the server answered \(status): \(reason)"
        case .answerTooLong(let limit): "the server's answer is longer than \(limit) bytes"
        case .invalidServer(let reason), .invalidToken(let reason): reason
        case .invalidIdempotencyKey(let key):
            "an idempotency key is 1 to 255 visible ASCII characters, which \(key.debugDescription) is not"
        case .invalidCause(let cause):
            "a cause is 1 to 64 visible ASCII characters, which \(cause.debugDescription) is not"
        }
    }

    /// The same as `description`, for those who read errors through Foundation.
    public var errorDescription: String? { description }
}
