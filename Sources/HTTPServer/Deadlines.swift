import Reactor

/// The settings' durations in nanoseconds: a `Duration` is divided each time it is asked, and some are needed per request.
struct Deadlines: Sendable {
    let head: LoopInstant
    let body: LoopInstant
    let keepAlive: LoopInstant
    let writeStall: LoopInstant
    let linger: LoopInstant

    init(_ configuration: ServerConfiguration) {
        head = configuration.headTimeout.nanoseconds
        body = configuration.bodyTimeout.nanoseconds
        keepAlive = configuration.keepAliveTimeout.nanoseconds
        writeStall = configuration.writeStallTimeout.nanoseconds
        linger = configuration.lingerTimeout.nanoseconds
    }
}
