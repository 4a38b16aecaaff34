import CLinux
import Glibc

/// The service manager that has started the process, where there is one: systemd, with `Type=notify`.
package enum ServiceManager {
    /// Tells it how the process stands, by the protocol of sd_notify(3); does nothing where none asks.
    ///
    /// - Parameters:
    ///   - state: Assignments, one on a line, such as `READY=1`.
    ///   - path: The manager's socket, `NOTIFY_SOCKET`: a path, or a name in the abstract namespace after `@`.
    /// - Returns: Whether the manager was reached.
    @discardableResult
    package static func tell(
        _ state: String, at path: String? = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    ) -> Bool {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return false }
        var form = sockaddr_un()
        let capacity = MemoryLayout.size(ofValue: form.sun_path)
        var name = Array(path.utf8)
        guard name.count < capacity else { return false }
        form.sun_family = sa_family_t(AF_UNIX)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        // SAFETY: the name is shorter than the structure's member, which starts out as zeros.
        withUnsafeMutableBytes(of: &form.sun_path) { $0.copyBytes(from: name) }
        let descriptor = Descriptor(
            owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        guard descriptor.number >= 0 else { return false }
        let message = Array(state.utf8)
        // The length says where a name in the abstract namespace ends.
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + name.count)
        // SAFETY: the structure begins as a sockaddr does; it and the message outlive the call.
        let sent = withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor.number, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        return sent == message.count
    }
}
