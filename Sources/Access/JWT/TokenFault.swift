import JSONValues

/// Why a JSON Web Token is not accepted.
///
/// The values of a fault come from the token and are not to be trusted: most faults are found before the signature is
/// verified. No fault holds the token's text or signature.
package enum TokenFault: Error, Hashable, Sendable {
    /// The token has so many bytes.
    case tooLong(Int)
    /// The token has not the form of a signed JWT (RFC 7519, section 7.2), or a claim is not of its type: what is
    /// wrong, after "the token".
    case malformed(String)
    /// The header or the payload has a member of this name twice (RFC 7515, section 4).
    case duplicate(String)
    /// The algorithm of this name is not one that the issuer signs with, or none at all.
    case algorithm(String)
    /// The header's `typ` is another than that of access tokens and plain JWTs (RFC 8725, section 3.11).
    case type(String)
    /// The header has extensions that have to be understood (`crit`; RFC 7515, section 4.1.11): none is.
    case critical
    /// The header has a member that changes how the token is read, and is not supported: `b64` or `zip`.
    case unsupported(String)
    /// A required claim of this name is missing.
    case missing(String)
    /// No issuer of this name is known.
    case issuer(String)
    /// The issuer's keys are not there yet; they may be after they are fetched.
    case noKeys(issuer: String)
    /// The issuer has no such key for the algorithm; it may have after the keys are fetched again.
    case unknownKey(issuer: String, keyID: String?)
    /// The token does not name its key, and the issuer has too many to try.
    case noKeyID(issuer: String)
    /// The signature is not right.
    case signature
    /// The token has ended at this time, in seconds since 1970.
    case expired(at: Int)
    /// The token is valid from this time on (`nbf`), in seconds since 1970.
    case notYet(until: Int)
    /// The token was issued at a time (`iat`) that has not come, in seconds since 1970.
    case issuedInFuture(at: Int)
    /// The token is for others: no audience of it is one of ours.
    case audience
    /// The token's rights (`authorization_details`; RFC 9396) are malformed.
    case grants(GrantError)

    /// Whether the token may be accepted once the issuer's keys are fetched again.
    package var mayPassWithOtherKeys: Bool {
        switch self {
        case .noKeys, .unknownKey: true
        default: false
        }
    }
}

extension TokenFault: CustomStringConvertible {
    /// The fault, in a sentence without its full stop; texts of the token are cut at 64 bytes and have no control
    /// characters.
    package var description: String {
        switch self {
        case .tooLong(let count): "the token has \(count) bytes where \(TokenVerifier.lengthLimit) are the most"
        case .malformed(let detail): "the token \(detail)"
        case .duplicate(let name): "the token has the member \(quote(name)) twice"
        case .algorithm(let name): "the token is signed by \(quote(name)), which its issuer is not set up for"
        case .type(let type): "the token is of the type \(quote(type)); expected JWT or at+jwt"
        case .critical: "the token has critical extensions (crit), and none is supported"
        case .unsupported(let name): "the token has the header member \(name), which is not supported"
        case .missing(let claim): "the token has no claim \(claim)"
        case .issuer(let issuer): "the token is issued by \(quote(issuer)), whose tokens are not accepted"
        case .noKeys(let issuer): "the token is issued by \(quote(issuer)), whose keys are not available"
        case .unknownKey(let issuer, let id?):
            "the token is signed with the key \(quote(id)), which \(quote(issuer)) does not have for its algorithm"
        case .unknownKey(let issuer, nil): "the token is signed by an algorithm that \(quote(issuer)) has no key for"
        case .noKeyID(let issuer): "the token does not name its key (kid), and \(quote(issuer)) has too many to try"
        case .signature: "the token has a wrong signature"
        case .expired(let time): "the token ended at \(time) (seconds since 1970)"
        case .notYet(let time): "the token is not valid before \(time) (seconds since 1970)"
        case .issuedInFuture(let time): "the token was issued at \(time) (seconds since 1970), which has not come"
        case .audience: "the token is for another audience"
        case .grants(let error): "the token has a malformed grant at \(quote(error.pointer)): \(error.detail)"
        }
    }

    private func quote(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        // A line break would end a header field or a line of the log.
        for scalar in text.cut(toBytes: 64).unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return "\"\(String(scalars))\""
    }
}
