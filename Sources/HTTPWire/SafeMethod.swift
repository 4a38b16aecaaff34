package import HTTPTypes

extension HTTPRequest.Method {
    /// Whether the method asks for no change (RFC 9110, section 9.2.1).
    package var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace
    }
}
