import HTTPTypes

/// The cookie that carries a token for a browser's pages, so that no script of theirs need keep it.
///
/// It is sent over encrypted connections only (browsers take `localhost` for one), to this host alone and whatever its
/// path, is out of scripts' reach, and stays away from what other sites' pages ask for (RFC 6265bis, sections 4.1.2 and
/// 4.1.3.2).
enum SessionCookie {
    /// The name; browsers take it from this host over an encrypted connection only.
    static let name = "__Host-callboard"
    /// The most bytes of a token in a cookie: browsers keep 4,096 of name and value (RFC 6265bis, section 5.6).
    static let tokenLimit = 4_000

    private static let attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict"

    /// The token in a request's cookies (RFC 6265, section 4.2.1).
    ///
    /// - Throws: 400 for several.
    static func token(in fields: HTTPFields) throws(Problem) -> String? {
        var found: Substring?
        for field in fields where field.name == .cookie {
            for pair in field.value.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0] == name else { continue }
                guard found == nil else {
                    throw .credentialMalformed("The request has several cookies \(name); send one.")
                }
                found = parts[1]
            }
        }
        return found.map(String.init)
    }

    /// The value of Set-Cookie that gives a browser the token.
    ///
    /// - Parameters:
    ///   - token: A valid token, whose characters a cookie may have.
    ///   - lifetime: Seconds until it ends; nil keeps it until the browser is closed.
    static func setting(_ token: String, lifetime: Int?) -> String {
        "\(name)=\(token)\(attributes)" + (lifetime.map { "; Max-Age=\($0)" } ?? "")
    }

    /// The value of Set-Cookie that has a browser forget the token.
    static let clearing = "\(name)=\(attributes); Max-Age=0"
}
