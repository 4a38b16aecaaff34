import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of the client's requests: `URLSession` unless a test or an application brings another one.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns once the answer's head is there; its body follows in pieces.
    ///
    /// The request may have a token in `Authorization`: a transport logs no fields, and follows no redirect to another
    /// origin with it.
    ///
    /// - Parameters:
    ///   - request: what is sent.
    ///   - bufferLimit: the bytes of the body that may wait for `next()`. A transport that cannot hold the sender back
    ///     ends the body with ``TransportError/overrun(limit:)`` rather than keep more.
    /// - Throws: ``TransportError`` where no answer came, `CancellationError` where the task was cancelled.
    func open(_ request: URLRequest, bufferLimit: Int) async throws -> TransportResponse
}

/// The head of an answer, and its body to be read.
public struct TransportResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields, their names in lower case.
    public let fields: [String: String]
    /// The body; whoever holds it closes it, or lets go of it.
    public let body: any ByteStream

    /// Makes an answer; `fields` may spell their names in any case.
    public init(status: Int, fields: [String: String], body: any ByteStream) {
        self.status = status
        self.fields = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }
}

/// A body that arrives piece by piece.
///
/// One task reads at a time. Letting go of the last reference closes the connection just as `close()` does.
public protocol ByteStream: AnyObject, Sendable {
    /// The next piece, never empty, or nil at the end.
    ///
    /// - Throws: ``TransportError`` where the connection broke, `CancellationError` where the task was cancelled; the
    ///   connection is closed then.
    func next() async throws -> [UInt8]?

    /// Closes the connection; what has not been read is dropped. Calling it again does nothing.
    func close()
}

/// Why there is no answer, or no more of it.
public enum TransportError: Error, Sendable, Hashable {
    /// The server was not reached, or the connection broke; `reason` is the system's own sentence.
    case connection(reason: String)
    /// The server's certificate is not trusted; `reason` is the system's own sentence.
    case untrusted(reason: String)
    /// The body came faster than it was read, and more than `limit` bytes waited.
    case overrun(limit: Int)
    /// The stream was closed on this side.
    case closed
}

extension TransportError: CustomStringConvertible {
    /// The error, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .connection(let reason), .untrusted(let reason): reason
        case .overrun(let limit): "more than \(limit) bytes arrived before they could be read"
        case .closed: "the connection was closed on this side"
        }
    }
}

extension TransportResponse {
    /// How long the server asks to be left alone, an hour at most; nil where it does not, or gives a date.
    var retryAfter: Duration? {
        fields["retry-after"].flatMap { Int($0) }.map { .seconds(min(max($0, 0), 3600)) }
    }

    /// Reads the whole body, or throws where it is longer than `limit` bytes.
    func collect(limit: Int) async throws -> [UInt8] {
        defer { body.close() }
        var bytes: [UInt8] = []
        while let piece = try await body.next() {
            guard bytes.count + piece.count <= limit else { throw TransportError.overrun(limit: limit) }
            bytes += piece
        }
        return bytes
    }
}

extension URLRequest {
    /// Whether it changes nothing, so that it is safe to repeat.
    var isRead: Bool { ["GET", "HEAD"].contains(httpMethod ?? "GET") }
}
