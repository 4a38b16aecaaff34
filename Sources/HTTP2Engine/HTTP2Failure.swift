/// Why a connection or a stream ends (RFC 9113, section 7).
package enum HTTP2ErrorCode: UInt32, Sendable, Hashable, CaseIterable {
    /// Nothing is wrong.
    case noError
    /// The protocol was violated in a way that has no code of its own.
    case protocolError
    /// A fault of the sender's own.
    case internalError
    /// More was sent than the receiver allowed.
    case flowControlError
    /// SETTINGS were not acknowledged in time.
    case settingsTimeout
    /// A frame came for a stream that is closed.
    case streamClosed
    /// A frame has a size that its type does not allow.
    case frameSizeError
    /// Nothing was done for the stream: the request may be repeated.
    case refusedStream
    /// The stream is not needed any more.
    case cancel
    /// The compressed fields could not be read.
    case compressionError
    /// For CONNECT.
    case connectError
    /// The peer behaves in a way that costs too much.
    case enhanceYourCalm
    /// TLS is not as it has to be.
    case inadequateSecurity
    /// HTTP/1.1 is required.
    case http11Required

    /// The code with a number; an unknown one has the meaning of `internalError` (RFC 9113, section 7).
    package init(number: UInt32) {
        self = HTTP2ErrorCode(rawValue: number) ?? .internalError
    }
}

/// A flood that ended a connection.
package enum HTTP2Abuse: Sendable, Hashable {
    /// The client resets requests faster than they can be answered.
    case resets
    /// The client makes the server reset streams.
    case provokedResets
    /// A field section has too many bytes or frames.
    case headerBlock
    /// Acknowledgements are asked for and not taken.
    case acknowledgements
    /// Frames come that bring nothing forward.
    case idleFrames
}

/// Why a connection has failed. GOAWAY is sent, and nothing else.
package enum HTTP2Failure: Error, Sendable, Hashable {
    /// The first bytes are not those of HTTP/2 (RFC 9113, section 3.4).
    case badPreface
    /// The client violated the protocol.
    case violation(HTTP2ErrorCode)
    /// The client went beyond a bound.
    case abuse(HTTP2Abuse)
    /// nghttp2 could not go on, for lack of memory or for a fault.
    case engine(code: Int)

    /// What GOAWAY says.
    package var code: HTTP2ErrorCode {
        switch self {
        case .badPreface: .protocolError
        case .violation(let code): code
        case .abuse: .enhanceYourCalm
        case .engine: .internalError
        }
    }
}
