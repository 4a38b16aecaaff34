import Glibc
import HTTPServer
import Hosting
import Logging
import Reactor

extension Application {
    package func acceptFailed(_ failure: AcceptFailure) {
        var metadata: Logger.Metadata = [
            "reason": "\(failure.error)",
            "attempts": .stringConvertible(LogQuantity.count(failure.attempts)),
            "connections": .stringConvertible(LogQuantity.count(failure.connections)),
        ]
        if let limit = try? DescriptorLimit.current() {
            metadata["limit"] = .stringConvertible(LogQuantity.count(Int(clamping: limit)))
        }
        metadata["advice"] = "\(Self.advice(failure.error))"
        logger.error("connections cannot be accepted: clients wait until there is room", metadata: metadata)
    }

    /// What to do about it.
    private static func advice(_ error: SystemError) -> String {
        switch error.number {
        case EMFILE:
            "raise the limit of open files (ulimit -n, LimitNOFILE= of systemd), or lower server.maxConnections"
        case ENFILE: "raise the machine's limit of open files (sysctl fs.file-max)"
        case ENOSPC: "raise the limit of watched descriptors (sysctl fs.epoll.max_user_watches)"
        case ENOBUFS, ENOMEM: "the kernel has no memory for sockets: lower server.maxConnections, or add memory"
        default: "see the reason"
        }
    }
}
