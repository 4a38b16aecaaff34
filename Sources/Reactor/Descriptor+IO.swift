import CLinux
import Glibc

extension Descriptor {
    /// Receives what has arrived, up to the size of `buffer`; zero bytes mean that the peer has finished sending.
    @inline(__always)
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Outcome<Int> {
        // SAFETY: the kernel writes at most buffer.count bytes, and the buffer outlives the call.
        try SystemCall.runNonBlocking("recv") { recv(number, buffer.baseAddress, buffer.count, 0) }
    }

    /// Sends as much of `buffer` as the socket takes; a closed peer is an error (`EPIPE`), never a signal.
    @inline(__always)
    package func send(_ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Outcome<Int> {
        // SAFETY: the kernel reads at most buffer.count bytes, and the buffer outlives the call.
        try SystemCall.runNonBlocking("send") {
            Glibc.send(number, buffer.baseAddress, buffer.count, Int32(CLINUX_MSG_NOSIGNAL))
        }
    }

    /// Tells the peer that nothing more is sent, while what it sends can still be received.
    ///
    /// An error is of no use to anyone here: the connection is about to be closed.
    package func finishSending() {
        _ = shutdown(number, Int32(CLINUX_SHUT_WR))
    }

    /// Sends small writes at once instead of gathering them (`TCP_NODELAY`). Without effect on a Unix-domain socket.
    package func disableCoalescing() {
        setOption(Int32(CLINUX_IPPROTO_TCP), Int32(CLINUX_TCP_NODELAY), 1)
    }

    /// Sets an integer option of the socket, and returns whether the kernel took it.
    @discardableResult
    package func setOption(_ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
        var value = value
        // SAFETY: the kernel reads the four bytes of value during the call.
        return setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}

extension Descriptor {
    /// Sends as much of two buffers, one after the other, as the socket takes in one call.
    package func send(
        _ first: UnsafeRawBufferPointer, then second: UnsafeRawBufferPointer
    ) throws(SystemError) -> Outcome<Int> {
        // SAFETY: the kernel only reads what a vector of sendmsg names, so dropping the const is of no consequence.
        let vectors = (
            iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
            iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
        )
        return try withUnsafePointer(to: vectors) { (pointer) throws(SystemError) in
            var message = msghdr()
            // SAFETY: a tuple of two vectors lies in memory as an array of two; it and the buffers outlive the call.
            message.msg_iov = UnsafeMutableRawPointer(mutating: pointer).assumingMemoryBound(to: iovec.self)
            message.msg_iovlen = 2
            return try SystemCall.runNonBlocking("sendmsg") { sendmsg(number, &message, Int32(CLINUX_MSG_NOSIGNAL)) }
        }
    }
}
