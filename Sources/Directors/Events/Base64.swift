import FoundationEssentials

/// Base64 with padding (RFC 4648, section 4), in which a value has one spelling.
package enum Base64 {
    /// Writes bytes as text.
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }

    /// Reads text; nil where it is not what ``encode(_:)`` writes.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard let data = Data(base64Encoded: String(text)), data.base64EncodedString() == text else { return nil }
        return [UInt8](data)
    }
}
