import HTTPTypes
import HTTPWire

/// A whole answer to a request.
///
/// `Content-Length`, `Date` and `Connection` are the server's to write. A HEAD request gets the head of the answer with
/// the length of the body that is left out.
package struct Response: Sendable {
    /// What follows the head.
    package enum Body: Sendable {
        /// Nothing: a length of 0 is announced where the status allows content.
        case none
        /// Bytes of this answer alone.
        case bytes([UInt8])
        /// Bytes that other answers send too.
        case shared(SharedBytes)
        /// A part of an event that streams send too, such as its data.
        case part(EventFrame, Range<Int>)
    }

    /// The status.
    package var status: HTTPResponse.Status
    /// The fields in the order they are sent.
    package var fields: HTTPFields
    /// The content; not sent if the request was HEAD or the status forbids it.
    package var body: Body
    /// Whether the connection is closed once the answer is out, even if the client would keep it.
    package var closesConnection: Bool

    /// Makes an answer.
    package init(
        status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .none, closesConnection: Bool = false
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.closesConnection = closesConnection
    }

    /// The head as it is sent. Every answer of the server forbids sniffing; see ``Exchange/stream(_:from:closesConnection:)``
    /// for those of streams.
    var head: ResponseHead {
        ResponseHead(status: status, fields: fields, forbidsSniffing: true)
    }
}

extension Response.Body {
    /// The array that holds the content, and what of it is the content.
    package var content: (bytes: [UInt8], range: Range<Int>) {
        switch self {
        case .none: ([], 0..<0)
        case .bytes(let bytes): (bytes, 0..<bytes.count)
        case .shared(let shared): (shared.bytes, 0..<shared.count)
        case .part(let frame, let range): (frame.storage, range)
        }
    }
}
