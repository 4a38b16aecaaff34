import HTTPWire
import Reactor

/// The settings' durations in nanoseconds: a `Duration` is divided each time it is asked, and some are needed per request.
struct Deadlines: Sendable {
    private let head: LoopInstant
    private let body: LoopInstant
    private let keepAlive: LoopInstant
    private let writeStall: LoopInstant
    private let linger: LoopInstant

    init(_ configuration: ServerConfiguration) {
        head = configuration.headTimeout.nanoseconds
        body = configuration.bodyTimeout.nanoseconds
        keepAlive = configuration.keepAliveTimeout.nanoseconds
        writeStall = configuration.writeStallTimeout.nanoseconds
        linger = configuration.lingerTimeout.nanoseconds
    }

    /// How long a connection has.
    subscript(kind: DeadlineKind) -> LoopInstant {
        switch kind {
        case .head: head
        case .body: body
        case .keepAlive: keepAlive
        case .writeStall: writeStall
        case .linger: linger
        }
    }
}
