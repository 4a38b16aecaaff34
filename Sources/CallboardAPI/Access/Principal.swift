import Access
import JSONValues
import Synchronization

/// The author of a request, with its rights.
///
/// Shared by all requests with one credential on a loop. Immutable but for how far it was checked.
package final class Principal: Sendable {
    /// Where the rights come from.
    enum Source: Sendable, Hashable {
        /// The server asks nobody (`auth.mode` `none`).
        case everybody
        /// No credential was presented; the rights are those of `auth.anonymous`.
        case anonymous
        /// A static token, by its identifier and name.
        case token(id: String, name: String)
        /// A client's certificate, by its first name.
        case certificate(String)
        /// A JSON Web Token.
        case issued(VerifiedToken)
        /// Another node has found out who asks, and has passed the request on with what views know of the principal.
        case node(name: String, claims: [UInt8]?)
    }

    /// Where the rights come from.
    let source: Source
    /// What may be done.
    package let grants: Grants
    /// When the credential ends, in seconds since 1970; nil for one that does not.
    package let expiresAt: Int?
    /// The revision of the credentials at which this one was found valid.
    let checkedRevision: Atomic<Int>
    /// When the use of the token was last noted, in seconds since 1970.
    let notedUse: Atomic<Int>

    /// Makes a principal.
    init(source: Source, grants: Grants, expiresAt: Int? = nil, revision: Int = 0, notedUse: Int = 0) {
        self.source = source
        self.grants = grants
        self.expiresAt = expiresAt
        checkedRevision = Atomic(revision)
        self.notedUse = Atomic(notedUse)
    }

    /// Makes the principal of a request that another node has passed on.
    ///
    /// - Parameter claims: The principal's ``claims`` there.
    package convenience init(authenticatedByNode name: String, grants: Grants, expiresAt: Int?, claims: JSONValue?) {
        let source = Source.node(name: name, claims: claims.map { Array($0.bytes) })
        self.init(source: source, grants: grants, expiresAt: expiresAt)
    }

    /// Everybody, with every right.
    package static let everybody = Principal(source: .everybody, grants: .everything)

    /// The same principal where nothing but reading these directors is to be done.
    func reading(_ directors: [String]) -> Principal {
        Principal(
            source: source, grants: grants.reading(directors), expiresAt: expiresAt,
            revision: checkedRevision.load(ordering: .relaxed), notedUse: notedUse.load(ordering: .relaxed))
    }

    /// Whether no credential was presented, here or to the node that has passed the request on, so that one might help.
    var isAnonymous: Bool { name == Self.anonymousName }

    /// The name of everybody without a credential. Nobody else has it: the names of those with one have a space or an @.
    private static let anonymousName = "anonymous"

    /// The principal as the log and the audit name it: nothing of it is secret.
    package var name: String {
        switch source {
        case .everybody: "everybody"
        case .anonymous: Self.anonymousName
        case .token(let id, let name): "\(id) (\(name.cut(toBytes: 64)))"
        case .node(let name, _): name
        case .certificate(let name): "certificate of \(name.cut(toBytes: 256))"
        case .issued(let token):
            "\((token.subject ?? "?").cut(toBytes: 128))@\(token.issuer.cut(toBytes: 128))"
        }
    }
}
