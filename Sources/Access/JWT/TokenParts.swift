import Notation

/// The three parts of a token.
struct TokenParts {
    let header: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]
    /// The signed part: the text up to the second dot.
    let signed: ArraySlice<UInt8>

    /// Takes a token apart, at most ``TokenVerifier/lengthLimit`` bytes.
    init(_ token: [UInt8]) throws(TokenFault) {
        let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else {
            throw .malformed("has not three parts with dots in between")
        }
        func decode(_ index: Int, _ name: String) throws(TokenFault) -> [UInt8] {
            guard let bytes = Base64URL.decode(parts[index]) else {
                throw .malformed("has a \(name) that is not base64url without padding")
            }
            return bytes
        }
        header = try decode(0, "header")
        payload = try decode(1, "payload")
        signature = try decode(2, "signature")
        signed = token[..<parts[1].endIndex]
    }
}
