package import HTTPTypes

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

    /// The kinds of failures that are counted separately; the raw values are their names in `/metrics`.
    package enum Kind: String, Sendable, CaseIterable {
        case preface, violation, resets
        case provokedResets = "provoked_resets"
        case headerBlock = "header_block"
        case acknowledgements
        case idleFrames = "idle_frames"
        case engine
    }

    /// Of which kind it is.
    package var kind: Kind {
        switch self {
        case .badPreface: .preface
        case .violation: .violation
        case .abuse(.resets): .resets
        case .abuse(.provokedResets): .provokedResets
        case .abuse(.headerBlock): .headerBlock
        case .abuse(.acknowledgements): .acknowledgements
        case .abuse(.idleFrames): .idleFrames
        case .engine: .engine
        }
    }

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
