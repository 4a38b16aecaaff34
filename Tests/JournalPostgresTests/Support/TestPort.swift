import Foundation

/// A port of this machine's at which something listens, until it is closed.
final class TestPort {
    private var socket: Int32
    /// Its number.
    let number: Int

    init() throws {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout.size(ofValue: address))
        // SAFETY: the address is one of IPv4, and lives during the calls.
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(socket, pointer, length) == 0 && listen(socket, 8) == 0
                && getsockname(socket, pointer, &length) == 0
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.socket = socket
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Closes it; from then on it refuses connections.
    func close() {
        guard socket >= 0 else { return }
        _ = Foundation.close(socket)
        socket = -1
    }
}
