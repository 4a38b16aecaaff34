package import HTTPTypes

extension HTTPRequest.Method {
    /// Whether the method asks for no change (RFC 9110, section 9.2.1).
    package var isSafe: Bool {
        // Lengths first: comparing two texts that differ is a call.
        switch rawValue.utf8.count {
        case 3: self == .get
        case 4: self == .head
        case 5: self == .trace
        case 7: self == .options
        default: false
        }
    }
}
