import CLinux
import Glibc

extension SocketAddress {
    /// Calls `body` with the address in the kernel's form.
    package func withKernelForm<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch self {
        case .ipv4(let address, let port):
            var form = sockaddr_in()
            form.sin_family = sa_family_t(AF_INET)
            form.sin_port = port.bigEndian
            form.sin_addr.s_addr = address.bigEndian
            return Self.pass(&form, body)
        case .ipv6(let high, let low, let scope, let port):
            var form = sockaddr_in6()
            form.sin6_family = sa_family_t(AF_INET6)
            form.sin6_port = port.bigEndian
            form.sin6_scope_id = scope
            // SAFETY: an IPv6 address is sixteen bytes, as are two 64-bit numbers.
            withUnsafeMutableBytes(of: &form.sin6_addr) { bytes in
                bytes.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            return Self.pass(&form, body)
        case .unix(let path):
            var form = sockaddr_un()
            form.sun_family = sa_family_t(AF_UNIX)
            // SAFETY: as many bytes as fit, and one zero after them: the structure starts out as zeros.
            withUnsafeMutableBytes(of: &form.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            return Self.pass(&form, body)
        }
    }

    private static func pass<Form, Result>(
        _ form: inout Form, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        // SAFETY: every form begins as a sockaddr does, and outlives the call.
        withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Form>.size))
            }
        }
    }

    /// Reads an address that the kernel stored; one of a family that is not known here comes out as a nameless `unix`.
    package init(kernelForm storage: inout sockaddr_storage) {
        // SAFETY: a sockaddr_storage is large and aligned enough for every family's form, and the family says which it is.
        self = withUnsafeBytes(of: &storage) { bytes in
            switch Int32(storage: bytes) {
            case AF_INET:
                let form = bytes.load(as: sockaddr_in.self)
                return .ipv4(UInt32(bigEndian: form.sin_addr.s_addr), port: UInt16(bigEndian: form.sin_port))
            case AF_INET6:
                let form = bytes.load(as: sockaddr_in6.self)
                return withUnsafeBytes(of: form.sin6_addr) { address in
                    .ipv6(
                        UInt64(bigEndian: address.loadUnaligned(as: UInt64.self)),
                        UInt64(bigEndian: address.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                        scope: form.sin6_scope_id, port: UInt16(bigEndian: form.sin6_port))
                }
            default:
                return .unix(path: "")
            }
        }
    }

    /// Calls `body` with room for an address, and returns what the kernel stored there.
    static func filled(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) throws(SystemError) -> Void
    ) throws(SystemError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // SAFETY: the kernel writes at most `length` bytes, which the storage has.
        try withUnsafeMutablePointer(to: &storage) { (pointer) throws(SystemError) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) throws(SystemError) in
                try body(address, &length)
            }
        }
        return SocketAddress(kernelForm: &storage)
    }

    /// The addresses that a host name or number stands for, as a server would bind them.
    ///
    /// An empty host and `*` are every address of the machine, IPv6 and IPv4. Waits for the resolver: not for a loop.
    package static func resolve(host: String, port: UInt16) throws(SystemError) -> [SocketAddress] {
        if host.isEmpty || host == "*" || host == "::" { return [.ipv6(0, 0, scope: 0, port: port)] }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(CLINUX_SOCK_STREAM)
        var list: UnsafeMutablePointer<addrinfo>?
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        // SAFETY: the resolver stores a list that is read below and freed once.
        let result = getaddrinfo(name, nil, &hints, &list)
        guard result == 0, let first = list else {
            throw SystemError(call: "resolving \(host)", number: result == EAI_SYSTEM ? errno : ENOENT)
        }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        // SAFETY: the list ends with a nil pointer, and every entry's address has the length that it says.
        for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
            guard let address = entry.pointee.ai_addr else { continue }
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen)))
            }
            let found = SocketAddress(kernelForm: &storage).with(port: port)
            if !addresses.contains(found) { addresses.append(found) }
        }
        return addresses
    }
}

extension Int32 {
    /// The address family, which is where every form of an address begins.
    fileprivate init(storage bytes: UnsafeRawBufferPointer) {
        self = Int32(bytes.load(as: sa_family_t.self))
    }
}
