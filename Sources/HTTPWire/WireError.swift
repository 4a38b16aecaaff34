package import HTTPTypes

/// A request that cannot be served, with the status to answer and a sentence that says what was wrong.
///
/// After it no further bytes of the connection may be read as a request: the boundary between messages is lost. Answer
/// with `status` and close.
package struct WireError: Error, Sendable, Hashable {
    /// 400, 413, 414, 417, 431, 501 or 505.
    package let status: HTTPResponse.Status

    /// One sentence for the client: what was wrong and where, without the offending bytes.
    package let reason: String

    /// Creates an error.
    package init(_ status: HTTPResponse.Status, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

extension WireError {
    /// 413: the content is longer than it may be.
    package static func tooMuchContent(_ limit: Int) -> WireError {
        WireError(.contentTooLarge, "The content is larger than the limit of \(limit) bytes.")
    }
}

extension WireError: CustomStringConvertible {
    package var description: String { "\(status.code): \(reason)" }
}
