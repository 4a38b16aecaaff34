import Access
import DirectorLife
import Feed

/// Whether a stream's credential is still good.
///
/// The time of a credential ends a little early for a stream, by a random part of what is left, so that the clients of
/// tokens that were made together do not come back at one moment; never late.
final class StreamAccess: StreamPermit {
    private let lease: StreamLease?
    private let principal: Principal
    private let access: AccessControl
    /// In seconds since 1970.
    private let end: Int?

    /// The most seconds that a stream ends early.
    static let spread = 15

    /// Makes the permit of a principal's stream.
    init(_ principal: Principal, _ access: AccessControl, lease: StreamLease?) {
        self.lease = lease
        self.principal = principal
        self.access = access
        end = principal.expiresAt.map { end in
            // A tenth of what is left at most, so that a short token is still of use.
            end - Int.random(in: 0...min(Self.spread, max(0, end - access.now) / 10))
        }
    }

    /// The principal that has opened the stream; nil if no credential was required or presented.
    var holder: StreamHolder? {
        switch principal.source {
        case .everybody, .anonymous, .node: nil
        case .token: StreamHolder(kind: "token", name: principal.name)
        case .certificate: StreamHolder(kind: "certificate", name: principal.name)
        case .issued: StreamHolder(kind: "jwt", name: principal.name)
        }
    }

    var endReason: StreamEvent.EndReason? {
        if let end, access.now >= end { return .expired }
        return switch access.fault(of: principal) {
        case nil: nil
        case .expired: .expired
        case .revoked, .unknown, .malformed, .unsupported, .token, .ticket: .revoked
        }
    }
}

extension AccessControl {
    /// The permit of a principal's stream, which decides whether the stream may go on and keeps its lease; nil if the
    /// stream always may and has no lease.
    func permit(for principal: Principal, _ lease: StreamLease?) -> StreamAccess? {
        switch principal.source {
        case .everybody, .anonymous, .node: lease.map { StreamAccess(principal, self, lease: $0) }
        case .token, .issued, .certificate: StreamAccess(principal, self, lease: lease)
        }
    }
}
