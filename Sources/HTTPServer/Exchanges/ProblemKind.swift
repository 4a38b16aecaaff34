import HTTPTypes

/// The kinds of problems that a server answers with, each with its status and its title: one table for the API and for what
/// the HTTP layer refuses before it. The raw value is the last part of the `type` URI and never changes.
///
/// `Problems.md` of `CallboardAPI` lists them for clients.
package enum ProblemKind: String, CaseIterable, Sendable {
    case badRequest = "bad-request"
    case notJson = "not-json"
    case unreadableJson = "unreadable-json"
    case credentialMalformed = "credential-malformed"
    case credentialMissing = "credential-missing"
    case credentialRefused = "credential-refused"
    case rightMissing = "right-missing"
    case otherSite = "other-site"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case requestTimeout = "request-timeout"
    case conflict
    case inProgress = "in-progress"
    case derived
    case emptyList = "empty-list"
    case tooManyRemoved = "too-many-removed"
    case versionGone = "version-gone"
    case alreadyThere = "already-there"
    case revisionMismatch = "revision-mismatch"
    case contentTooLarge = "content-too-large"
    case targetTooLong = "target-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case unsupportedContentCoding = "unsupported-content-coding"
    case expectationFailed = "expectation-failed"
    case hostNotServed = "host-not-served"
    case invalidContent = "invalid-content"
    case tooMany = "too-many"
    case fieldsTooLarge = "fields-too-large"
    case `internal`
    case notImplemented = "not-implemented"
    case away
    case incomplete
    case keysMissing = "keys-missing"
    case noOwner = "no-owner"
    case notLoaded = "not-loaded"
    case notReady = "not-ready"
    case notStored = "not-stored"
    case overloaded
    case unreadable
    case tooManyLists = "too-many-lists"
    case tooManyLongAnswers = "too-many-long-answers"
    case tooManyReaders = "too-many-readers"
    case notAnswered = "not-answered"
    case versionNotSupported = "version-not-supported"
    case overBound = "over-bound"

    /// The prefix of each kind's `type` URI; a URN, since there is no page behind it.
    package static let typePrefix = "urn:callboard:problem:"

    /// The `type` URI (RFC 9457, section 3.1.1).
    package var type: String { Self.typePrefix + rawValue }

    /// The kind of a `type` URI; nil for one that is none of this server's.
    package init?(type: String) {
        guard type.hasPrefix(Self.typePrefix) else { return nil }
        self.init(rawValue: String(type.dropFirst(Self.typePrefix.count)))
    }

    /// The kind of what the HTTP layer refuses with a status; ``badRequest`` for one that it does not refuse with.
    init(ofRefusal status: HTTPResponse.Status) {
        switch status.code {
        case 408: self = .requestTimeout
        case 413: self = .contentTooLarge
        case 414: self = .targetTooLong
        case 417: self = .expectationFailed
        case 431: self = .fieldsTooLarge
        case 500: self = .internal
        case 501: self = .notImplemented
        case 503: self = .overloaded
        case 505: self = .versionNotSupported
        default: self = .badRequest
        }
    }

    /// The HTTP status of every problem of the kind.
    package var status: HTTPResponse.Status { facts.status }

    /// A short title, the same for every problem of the kind.
    package var title: String { facts.title }

    private var facts: (status: HTTPResponse.Status, title: String) {
        switch self {
        case .badRequest: (.badRequest, "The request cannot be understood")
        case .notJson: (.badRequest, "The content is not JSON")
        case .unreadableJson: (.badRequest, "The content is JSON that is not taken")
        case .credentialMalformed: (.badRequest, "The credential cannot be read")
        case .credentialMissing: (.unauthorized, "A credential is needed")
        case .credentialRefused: (.unauthorized, "The credential is not valid")
        case .rightMissing: (.forbidden, "The credential does not allow this")
        case .otherSite: (.forbidden, "Another site's page may not change anything here")
        case .notFound: (.notFound, "There is nothing at this address")
        case .methodNotAllowed: (.methodNotAllowed, "The resource does not have this method")
        case .notAcceptable: (.notAcceptable, "No representation is acceptable")
        case .requestTimeout: (.requestTimeout, "The request came too slowly")
        case .conflict: (.conflict, "The state does not allow this")
        case .inProgress: (.conflict, "The request with this key is being carried out")
        case .derived: (.conflict, "The list follows from another one")
        case .emptyList: (.conflict, "The list has no elements")
        case .tooManyRemoved: (.conflict, "More elements would be removed than the request allows")
        case .versionGone: (.gone, "This version is no longer retained")
        case .alreadyThere: (.preconditionFailed, "The resource is in the state that was excluded")
        case .revisionMismatch: (.preconditionFailed, "The content has changed since it was read")
        case .contentTooLarge: (.contentTooLarge, "The content is too large")
        case .targetTooLong: (.uriTooLong, "The path and the query are too long")
        case .unsupportedMediaType: (.unsupportedMediaType, "This media type is not taken")
        case .unsupportedContentCoding: (.unsupportedMediaType, "This content coding is not taken")
        case .expectationFailed: (.expectationFailed, "The expectation cannot be met")
        case .hostNotServed: (.misdirectedRequest, "This server does not answer for this host")
        case .invalidContent: (.unprocessableContent, "The content is not valid")
        case .tooMany: (.tooManyRequests, "More is asked for than can be taken at this moment")
        case .fieldsTooLarge: (.requestHeaderFieldsTooLarge, "The header fields are too large")
        case .internal: (.internalServerError, "The server made a mistake")
        case .notImplemented: (.notImplemented, "The server cannot do this")
        case .away: (.serviceUnavailable, "The node is away from the database")
        case .incomplete: (.serviceUnavailable, "A node has not answered")
        case .keysMissing: (.serviceUnavailable, "The issuer's keys are not available")
        case .noOwner: (.serviceUnavailable, "The director is being taken over")
        case .notLoaded: (.serviceUnavailable, "The director is being loaded")
        case .notReady: (.serviceUnavailable, "The server is starting or stopping")
        case .notStored: (.serviceUnavailable, "Changes cannot be stored")
        case .overloaded: (.serviceUnavailable, "The server has no room for this at the moment")
        case .unreadable: (.serviceUnavailable, "The director cannot be read")
        case .tooManyLists: (.serviceUnavailable, "Too many lists are being read")
        case .tooManyLongAnswers: (.serviceUnavailable, "Too many long answers are being made")
        case .tooManyReaders: (.serviceUnavailable, "The metrics are being read")
        case .notAnswered: (.gatewayTimeout, "It is not known whether the change was made")
        case .versionNotSupported: (HTTPResponse.Status(code: 505), "This version of HTTP is not spoken")
        case .overBound: (HTTPResponse.Status(code: 507), "A limit of this server would be exceeded")
        }
    }
}
