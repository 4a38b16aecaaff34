/// Why a text is not an address that requests go to.
package enum HTTPURLError: Error, Hashable, Sendable {
    /// It is longer than `HTTPURL.maxLength`.
    case tooLong
    /// It contains a character that a URL has not, or a `%` that encodes nothing.
    case character(Unicode.Scalar?)
    /// It does not begin with a scheme and `://`.
    case notAbsolute
    /// Its scheme is neither `http` nor `https`.
    case scheme
    /// It carries a name or a password.
    case userInformation
    /// It has a part after `#`.
    case fragment
    /// Its host is missing, or neither a name nor an address.
    case host(String)
    /// Its port is not a number from 1 to 65535.
    case port
}

extension HTTPURLError: CustomStringConvertible {
    /// The fault and its remedy, as a sentence goes on after "the URL".
    package var description: String {
        switch self {
        case .tooLong:
            "is longer than \(HTTPURL.maxLength) bytes"
        case .character("%"?):
            "has a '%' that two hexadecimal digits do not follow"
        case .character(let scalar):
            "has the character U+\(String(scalar?.value ?? 0, radix: 16, uppercase: true)), which has to be "
                + "percent-encoded, or written as xn--… in a name"
        case .notAbsolute:
            "is not absolute: it has to begin with http:// or https://"
        case .scheme:
            "has a scheme other than http and https"
        case .userInformation:
            "carries user information ('@'), which is not sent"
        case .fragment:
            "has a fragment ('#'), which is not sent"
        case .host(let host):
            host.isEmpty ? "has no host" : "has the host '\(host)', which is neither a name nor an address"
        case .port:
            "has a port that is not a number from 1 to 65535"
        }
    }
}
