import CLinux
import Glibc

/// A socket that accepts connections; it belongs to one loop, or to nobody yet.
///
/// A Unix-domain socket's file is removed when the socket is closed.
package struct ListeningSocket: ~Copyable, Sendable {
    /// The descriptor, for the loop to watch.
    package let descriptor: Descriptor
    /// The socket's address; its port is the kernel's choice if none was given.
    package let address: SocketAddress

    /// Binds and listens.
    ///
    /// - Parameter sharesPort: whether other sockets of this process share the address (`SO_REUSEPORT`), so that the
    ///   kernel spreads the connections over them. See `reserve(_:)` for who else could.
    /// - Parameter permissions: Those of a Unix-domain socket's file, whatever the umask.
    package init(
        _ address: SocketAddress, backlog: Int32 = 1024, sharesPort: Bool = false, permissions: UInt32 = 0o600
    ) throws(SystemError) {
        if case .unix(let path) = address { try Self.removeStaleSocket(at: path) }
        let descriptor = try Self.bound(to: address, sharesPort: sharesPort, permissions)
        let number = descriptor.number
        _ = try SystemCall.run("listen on \(address)") { Int(listen(number, backlog)) }
        if case .unix = address {
            self.address = address
        } else {
            self.address = try SocketAddress.filled { (pointer, length) throws(SystemError) in
                _ = try SystemCall.run("getsockname") { Int(getsockname(number, pointer, length)) }
            }
        }
        self.descriptor = descriptor
    }

    deinit {
        if case .unix(let path) = address { unlink(path) }
    }

    /// Checks that `address` is free, and returns it with the kernel's port in place of 0.
    ///
    /// Sockets that share a port share it with every process of the same user, so a second server would silently get
    /// half of the connections. A socket that does not share tells whether the address is free.
    package static func reserve(_ address: SocketAddress) throws(SystemError) -> SocketAddress {
        let probe = try ListeningSocket(address, backlog: 1)
        return probe.address
    }

    /// Accepts one connection, close-on-exec and non-blocking.
    package func accept() throws(SystemError) -> Outcome<AcceptedSocket> {
        var outcome: Outcome<Int> = .wouldBlock
        let number = descriptor.number
        let peer = try SocketAddress.filled { (pointer, length) throws(SystemError) in
            outcome = try SystemCall.runNonBlocking("accept4") { Int(clinux_accept(number, pointer, length)) }
        }
        switch outcome {
        case .wouldBlock: return .wouldBlock
        case .done(let number): return .done(AcceptedSocket(number: Int32(number), peer: peer))
        }
    }

    private static func bound(
        to address: SocketAddress, sharesPort: Bool, _ permissions: UInt32
    ) throws(SystemError) -> Descriptor {
        let created = try SystemCall.run("socket") { Int(clinux_socket_create(address.family)) }
        let descriptor = Descriptor(owning: Int32(created))
        if address.family != AF_UNIX {
            descriptor.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
            // Accepted sockets inherit it, which saves a call for each.
            descriptor.disableCoalescing()
        }
        if sharesPort { descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, 1) }
        if case .ipv6(let high, let low, _, _) = address {
            // The wildcard serves IPv4 too; any other address stands for itself, so that a name's addresses do not collide.
            descriptor.setOption(Int32(CLINUX_IPPROTO_IPV6), Int32(IPV6_V6ONLY), high == 0 && low == 0 ? 0 : 1)
        }
        let number = descriptor.number
        // Linux makes the file with the socket's permissions less the umask's, so that it is never open to more; what the
        // umask has taken is given back behind it.
        if case .unix = address { _ = fchmod(number, mode_t(permissions)) }
        _ = try SystemCall.run("bind to \(address)") {
            address.withKernelForm { Int(bind(number, $0, $1)) }
        }
        if case .unix(let path) = address {
            _ = try SystemCall.run("chmod \(path)") { Int(chmod(path, mode_t(permissions))) }
        }
        return descriptor
    }

    /// Removes the file of a Unix-domain socket that no process listens on any more, which would fail the bind.
    ///
    /// A file that is not a socket, and a socket that answers, are left alone: the bind then says that it is in use.
    private static func removeStaleSocket(at path: String) throws(SystemError) {
        guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            throw SystemError(call: "bind to unix:\(path)", number: ENAMETOOLONG)
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        let created = try SystemCall.run("socket") { Int(clinux_socket_create(AF_UNIX)) }
        let probe = Descriptor(owning: Int32(created))
        let result = SocketAddress.unix(path: path).withKernelForm { connect(probe.number, $0, $1) }
        if result != 0, errno == ECONNREFUSED { unlink(path) }
    }
}

/// An accepted connection; its receiver makes it a `Descriptor`.
package struct AcceptedSocket: Sendable {
    /// The descriptor's number, owned by nobody yet.
    package let number: Int32
    /// The address of the other end.
    package let peer: SocketAddress

    /// Names a connection that was accepted.
    package init(number: Int32, peer: SocketAddress) {
        self.number = number
        self.peer = peer
    }
}
