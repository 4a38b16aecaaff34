import Access
import HTTPTypes

extension Problem {
    /// 401: no credential was presented (RFC 6750, section 3.1: the challenge names no error then).
    static var credentialMissing: Problem {
        var problem = Problem(
            .credentialMissing,
            "This request needs a credential. Send a token as Authorization: Bearer TOKEN.")
        problem.challenge = #"Bearer realm="callboard""#
        return problem
    }

    /// 401: a credential was presented and is not good.
    static func credentialRefused(_ fault: CredentialFault) -> Problem {
        var problem = Problem(
            .credentialRefused,
            "\(fault.description.firstUppercased). The server never treats an invalid credential as no credential.")
        let description = fault.description.filter { $0 != "\"" && $0 != "\\" && $0.isASCII }
        problem.challenge = #"Bearer realm="callboard", error="invalid_token", error_description="\#(description)""#
        return problem
    }

    /// 429: the address has presented too many credentials that are not good.
    static func tooManyCredentials(retryAfter seconds: Int) -> Problem {
        .tooMany("This address has sent too many invalid credentials.", retryAfter: seconds)
    }

    /// 503: the keys of an issuer have not been had yet, so that its tokens cannot be verified.
    static func keysMissing(of issuer: String) -> Problem {
        var problem = Problem(
            .keysMissing,
            "Tokens of \(issuer.cut(toBytes: 128).quoted) cannot be verified: its keys could not be fetched. Ask again."
        )
        problem.retryAfter = 5
        return problem
    }

    /// 400: several credentials, or one that is none (RFC 6750, section 3.1, `invalid_request`).
    static func credentialMalformed(_ detail: String) -> Problem {
        var problem = Problem(.credentialMalformed, detail)
        problem.challenge = #"Bearer realm="callboard", error="invalid_request""#
        return problem
    }

    /// 403: the credential does not allow this.
    static func rightMissing(_ right: Right, director: String?) -> Problem {
        let place = director.map { " on the director \($0.quoted)" } ?? ""
        var problem = Problem(
            .rightMissing,
            "This needs the right \"\(right.rawValue)\"\(place), which the credential's grants do not give.")
        problem.challenge = #"Bearer realm="callboard", error="insufficient_scope", scope="\#(right.rawValue)""#
        return problem
    }

    /// Whether the request was refused for who has made it, or from where.
    var concernsAccess: Bool {
        [.unauthorized, .forbidden, .tooManyRequests].contains(status) || challenge != nil || isHidden
    }

    /// 404: there is no such director, or it may not be read.
    static func noDirector(_ name: String) -> Problem {
        .notFound("There is no director \(name.quoted); PUT /v1/directors/… makes one.")
    }

    /// 404 for a director that may not be read: the same answer as for one that is not there.
    static func hidden(_ name: String) -> Problem {
        var problem = noDirector(name)
        problem.isHidden = true
        return problem
    }
}

extension String {
    fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}

/// Why a credential is not good.
enum CredentialFault: Error, Sendable, Hashable {
    /// A static token that is none by its shape.
    case malformed(StaticTokenError)
    /// A static token that was revoked, or never made here.
    case unknown
    /// It has ended.
    case expired
    /// It was revoked, or its issuer's keys have changed, after it was good.
    case revoked
    /// It is no static token, and no issuer of others is set.
    case unsupported
    /// It is no good JSON Web Token.
    case token(TokenFault)
    /// It is no good stream ticket.
    case ticket(TicketFault)
}

extension CredentialFault: CustomStringConvertible {
    /// A sentence without its full stop; nothing in it is secret.
    var description: String {
        switch self {
        case .malformed(let error): "the token \(error)"
        case .unknown: "the token is not known: it was revoked, or made for another server"
        case .expired: "the token has expired"
        case .revoked: "the token was revoked"
        case .token(let fault): fault.description
        case .ticket(let fault): fault.description
        case .unsupported: "the token does not begin with cbt_, and the server takes no others: auth.issuers is empty"
        }
    }
}
