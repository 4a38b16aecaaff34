import Foundation

/// Why a call did not do what it was asked to.
public enum ClientError: Error, Sendable, Hashable {
    /// The server refused the request and said why.
    case problem(Problem)
    /// The server was not reached, or the connection broke before the answer was complete.
    case unreachable(url: String, reason: String)
    /// The server answered something that this client does not understand.
    case unexpectedAnswer(status: Int, reason: String)
    /// The answer is longer than ``Callboard/Configuration/maximumAnswerLength``.
    case answerTooLong(limit: Int)
    /// The server's address cannot be used.
    case invalidServer(String)

    /// The server's own words about a refusal, or nil for any other error.
    public var problem: Problem? {
        if case .problem(let problem) = self { problem } else { nil }
    }

    /// The status of the server's answer, or nil where there was none.
    public var status: Int? {
        switch self {
        case .problem(let problem): problem.status
        case .unexpectedAnswer(let status, _): status
        case .unreachable, .answerTooLong, .invalidServer: nil
        }
    }

    /// How much of a refusal's body is read.
    private static let problemLimit = 4 << 20

    /// Reads what a refusal says.
    init(refusal response: TransportResponse) async throws {
        let body = try await response.collect(limit: ClientError.problemLimit)
        self.init(status: response.status, contentType: response.fields["content-type"], body: body)
    }

    init(status: Int, contentType: String?, body: [UInt8]) {
        if contentType?.lowercased().contains("json") == true, let value = try? JSON(parsing: body) {
            self = .problem(Problem(value, status: status))
        } else {
            let excerpt = String(decoding: body.prefix(200), as: UTF8.self)
            self = .unexpectedAnswer(status: status, reason: excerpt.isEmpty ? "no reason was given" : excerpt)
        }
    }
}

extension ClientError: CustomStringConvertible, LocalizedError {
    /// What happened, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .problem(let problem): problem.description
        case .unreachable(let url, let reason): "\(url) cannot be reached: \(reason)"
        case .unexpectedAnswer(let status, let reason): "the server answered \(status): \(reason)"
        case .answerTooLong(let limit): "the server's answer is longer than \(limit) bytes"
        case .invalidServer(let reason): reason
        }
    }

    /// The same as `description`, for those who read errors through Foundation.
    public var errorDescription: String? { description }
}
