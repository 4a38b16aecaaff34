import Foundation

/// A bearer token (RFC 6750), and when it ends.
///
/// The text is in no description, reflection or error: a token prints as `(secret)`.
public struct AccessToken: Sendable {
    /// When the server stops accepting the token; nil where that is not known, or it does not end.
    public let expiresAt: Date?
    /// The text that goes into the header field.
    let text: String

    /// Makes a token.
    ///
    /// - Throws: ``ClientError/invalidToken(reason:)`` where the text is not a token of RFC 6750, section 2.1.
    public init(_ text: String, expiresAt: Date? = nil) throws(ClientError) {
        if let reason = AccessToken.fault(in: text) { throw .invalidToken(reason: reason) }
        self.text = text
        self.expiresAt = expiresAt
    }

    /// The value of the header field `Authorization`.
    var authorization: String { "Bearer \(text)" }

    /// Why a text is not a `b64token`, or nil where it is one. The answer quotes nothing of the text.
    private static func fault(in text: String) -> String? {
        guard !text.isEmpty else { return "the token is empty" }
        var isPadding = false
        for (position, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: "="), position > 0 {
                isPadding = true
            } else if isPadding || !isAllowed(byte) {
                return byte <= 0x20
                    ? "the token has white space or a line break at byte \(position + 1)"
                    : "the token has a character at byte \(position + 1) that is not allowed there (RFC 6750)"
            }
        }
        return nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(byte)
        }
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `(secret)`.
    public var description: String { "(secret)" }

    /// Always `(secret)`.
    public var debugDescription: String { description }

    /// Without children, so that `dump` and a debugger's summary show nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
