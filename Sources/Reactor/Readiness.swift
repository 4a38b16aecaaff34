import CLinux

/// The conditions that an event loop watches a descriptor for, and reports.
package struct Readiness: OptionSet, Sendable {
    /// The bits as epoll has them.
    package let rawValue: UInt32

    /// Makes a set of epoll's bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Bytes, a connection or an end can be read.
    package static let readable = Readiness(rawValue: UInt32(CLINUX_EPOLLIN))
    /// There is room to write.
    package static let writable = Readiness(rawValue: UInt32(CLINUX_EPOLLOUT))
    /// The peer has finished sending; what it sent before may still be waiting.
    package static let peerFinished = Readiness(rawValue: UInt32(CLINUX_EPOLLRDHUP))
    /// Both directions are over, or the socket has failed. Reported whether watched for or not.
    package static let closed = Readiness(rawValue: UInt32(CLINUX_EPOLLHUP) | UInt32(CLINUX_EPOLLERR))

    /// Whether the socket has failed or is over in both directions.
    package var isClosed: Bool { rawValue & Readiness.closed.rawValue != 0 }
}

/// Receives what the loop sees on a descriptor.
package protocol EventHandler: AnyObject, Sendable {
    /// Called on the loop's thread; `token` is what the registration was given.
    func ready(_ readiness: Readiness, token: UInt64)
}

/// A descriptor's place in a loop, with the generation that tells it from a later user of the same place.
package struct Registration: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    var tag: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}
