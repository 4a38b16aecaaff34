import HTTPTypes
import HTTPWire

/// Which web pages may change something (WHATWG Fetch, `Origin`; W3C Fetch Metadata, `Sec-Fetch-Site`).
///
/// A browser lets any page send simple requests to any address that it can reach, without asking first; only the answer
/// is kept from the page. So an unsafe request is refused if its fields tell that it comes from another site's page.
/// Programs that are no browsers send neither field and are not asked.
struct SitePolicy: Sendable {
    private let cors: CORSPolicy

    /// Makes a policy that takes the origins that cross-origin access is configured for.
    init(_ cors: CORSPolicy) {
        self.cors = cors
    }

    /// Refuses a request of another site's page: 403.
    func check(_ head: RequestHead) throws(Problem) {
        guard !head.method.isSafe else { return }
        if let origin = head.fields.value(of: .origin) {
            guard cors.allows(origin) || Self.isOwn(origin, authority: head.authority) else {
                throw Self.refusal("a page of \(origin.quoted)")
            }
            return
        }
        guard let site = head.fields.value(of: .secFetchSite), site != "same-origin", site != "none" else { return }
        throw Self.refusal("another site's page (Sec-Fetch-Site: \(site.cut(toBytes: 64)))")
    }

    /// Refuses a request whose credential the browser has added unasked, a session's cookie or a certificate, where a page
    /// of another origin may have made it: 403.
    ///
    /// A cookie stays away from other sites' pages, but not from those of a site's other hosts and ports; a certificate
    /// from none. So an origin has to be the server's own or named in the settings, and where there is none the browser has
    /// to say that the page is the server's own. A page that came unencrypted could be anybody's: only this machine's own
    /// may have.
    ///
    /// - Parameter isBrowser: Whether the request certainly comes from a browser. Without `Origin` and `Sec-Fetch-Site`
    ///   it is refused then, and accepted otherwise.
    func checkAmbient(_ head: RequestHead, isBrowser: Bool) throws(Problem) {
        guard !head.method.isSafe else { return }
        let site = head.fields.value(of: .secFetchSite)
        if let origin = head.fields.value(of: .origin) {
            let isSafe = origin.hasPrefix("https://") || HostPolicy.isLoopback(head.authority ?? "")
            guard cors.allowsCredentials(origin) || isSafe && Self.isOwn(origin, authority: head.authority) else {
                throw Self.refusal("a page of \(origin.quoted)")
            }
        } else if site != "same-origin", isBrowser || site != nil {
            throw Problem(
                .otherSite,
                "The browser has added a credential to the request and does not say which page it comes from. A program "
                    + "that is no browser sends its token as Authorization: Bearer TOKEN.")
        }
    }

    private static func refusal(_ page: String) -> Problem {
        Problem(
            .otherSite,
            "The request comes from \(page). If that page may change lists, add its origin to the setting cors.origins."
        )
    }

    /// Whether an origin is the server's own, as the client knows it: the authority that the request is for.
    ///
    /// The scheme may be either one, since a proxy that ends TLS leaves the server with `http`.
    private static func isOwn(_ origin: String, authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return false }
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
            let host = origin.dropFirst(scheme.count).lowercased()
            let own = authority.lowercased()
            return host == own || host + port == own || host == own + port
        }
        return false
    }
}
