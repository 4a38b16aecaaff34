import JSONValues

/// The claims of a token (RFC 7519, section 4) whose signature is right.
struct TokenClaims {
    /// The most bytes of `sub` and `jti`.
    static let textLimit = 256
    /// The type of our entries in `authorization_details` (RFC 9396, section 2).
    static let grantType = "urn:callboard:grant"
    /// The last second of the year 9999; later times are mistakes, or try to overflow.
    static let lastTime = 253_402_300_799

    let node: JSONNode

    /// The token's issuer, which is looked at before the signature is verified.
    func issuer() throws(TokenFault) -> String {
        guard let claim = node["iss"] else { throw .missing("iss") }
        guard let issuer = claim.string else { throw .malformed("has an iss that is no string") }
        return issuer
    }

    /// Checks the times (RFC 7519, sections 4.1.4 to 4.1.6), and returns when the token ends: the first second at which
    /// it is accepted no more.
    func checkTimes(now: Int, skew: Int) throws(TokenFault) -> Int {
        guard let expiry = try time("exp") else { throw .missing("exp") }
        guard now < expiry + skew else { throw .expired(at: expiry) }
        if let start = try time("nbf"), start - skew > now { throw .notYet(until: start) }
        if let issued = try time("iat"), issued - skew > now { throw .issuedInFuture(at: issued) }
        return expiry + skew
    }

    /// Checks that one of the token's audiences (RFC 7519, section 4.1.3) is one of ours.
    func checkAudience(_ audiences: [String]) throws(TokenFault) {
        guard let claim = node["aud"] else { throw .missing("aud") }
        let named = claim.kind == .array ? Array(claim.elements) : [claim]
        var isOurs = false
        for name in named {
            guard let bytes = name.utf8 else { throw .malformed("has an aud that is no string or array of strings") }
            if audiences.contains(where: { $0.utf8.elementsEqual(bytes) }) { isOurs = true }
        }
        guard isOurs else { throw .audience }
    }

    /// A claim that is a short text.
    func text(_ name: String) throws(TokenFault) -> String? {
        guard let claim = node[name] else { return nil }
        guard let text = claim.string, text.utf8.count <= Self.textLimit else {
            throw .malformed("has a claim \(name) that is no string of at most \(Self.textLimit) bytes")
        }
        return text
    }

    /// The rights that the token grants; entries of other types are for other servers and ignored.
    func grants() throws(TokenFault) -> Grants {
        let name = "authorization_details"
        guard let claim = node[name] else { return .nothing }
        do throws(GrantError) {
            return try Self.grants(claim)
        } catch {
            throw .grants(error.within("/\(name)"))
        }
    }

    private static func grants(_ claim: JSONNode) throws(GrantError) -> Grants {
        guard claim.kind == .array else { throw GrantError("expected an array") }
        var list: [Grant] = []
        for (index, entry) in claim.elements.enumerated() {
            guard entry.kind == .object else { throw GrantError(pointer: "/\(index)", "expected an object") }
            guard let type = entry["type"]?.string else {
                throw GrantError(pointer: "/\(index)", "expected an object with the string type")
            }
            guard type == grantType else { continue }
            // The list is not gathered beyond what is refused anyway.
            guard list.count < Grants.limit else { throw GrantError("expected at most \(Grants.limit) grants") }
            do throws(GrantError) {
                list.append(try Grant(decoding: entry, besides: ["type"]))
            } catch {
                throw error.within("/\(index)")
            }
        }
        return try Grants(list)
    }

    /// A time in whole seconds since 1970 (NumericDate; RFC 7519, section 2), a fraction rounded up.
    ///
    /// With times that are whole seconds, both "before" and "not before" stay what they were when the bound is rounded
    /// up.
    private func time(_ name: String) throws(TokenFault) -> Int? {
        guard let claim = node[name] else { return nil }
        if let seconds = claim.int, (0...Self.lastTime).contains(seconds) { return seconds }
        guard let seconds = claim.double, seconds >= 0, seconds <= Double(Self.lastTime) else {
            throw .malformed("has a claim \(name) that is no number of seconds since 1970 up to the year 9999")
        }
        let whole = Int(seconds)
        return Double(whole) < seconds ? whole + 1 : whole
    }
}
