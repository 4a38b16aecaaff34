import HTTPTypes
import Notation

/// Answers browsers that ask from another origin (WHATWG Fetch, CORS protocol).
struct CORSPolicy: Sendable {
    private let origins: Set<Name>
    private let allowsAny: Bool
    private let maxAge: String

    /// Makes the policy of a configuration.
    init(_ configuration: CORSConfiguration) {
        origins = Set(texts: configuration.origins)
        allowsAny = origins.contains("*")
        maxAge = String(configuration.maxAge.components.seconds)
    }

    /// True where no origin is allowed, so that nothing need be looked at.
    var isOff: Bool { origins.isEmpty }

    /// Whether pages of this origin may call the API.
    func allows(_ origin: String) -> Bool {
        allowsAny || origins.contains(origin)
    }

    /// Whether pages of this origin may call the API with a browser's cookies: the origin has to be named, which `*` is
    /// not.
    func allowsCredentials(_ origin: String) -> Bool {
        !allowsAny && origins.contains(origin)
    }

    /// Adds the fields that let an allowed origin read the answer.
    func apply(origin: String?, to fields: inout HTTPFields) {
        guard !isOff else { return }
        if !allowsAny { fields.append(HTTPField(name: .vary, value: "Origin")) }
        guard let origin, allows(origin) else { return }
        fields[.accessControlAllowOrigin] = allowsAny ? "*" : origin
        if !allowsAny { fields[.accessControlAllowCredentials] = "true" }
        fields[.accessControlExposeHeaders] =
            "Callboard-Stale, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id"
    }

    /// Adds what a preflight asks for; `apply(origin:to:)` has said whether the origin is allowed.
    func applyPreflight(methods: [HTTPRequest.Method], to fields: inout HTTPFields) {
        guard fields[.accessControlAllowOrigin] != nil else { return }
        fields[.accessControlAllowMethods] = methods.map(\.rawValue).joined(separator: ", ")
        fields[.accessControlAllowHeaders] =
            "Accept, Authorization, Callboard-Cause, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, "
            + "Prefer, X-Request-Id"
        fields[.accessControlMaxAge] = maxAge
    }
}
