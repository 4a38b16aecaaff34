import COpenSSL
import Glibc

/// The memory that OpenSSL reads records from and writes records to during one call: the caller's own.
///
/// A session has nothing of this kind between two calls, so an idle one keeps no buffer.
struct RecordPipe {
    /// The received bytes that have not been read yet.
    var input: UnsafeRawBufferPointer
    /// The array to which records to be sent are appended.
    let output: UnsafeMutablePointer<[UInt8]>
    /// How many handshake messages were received during the call, the handshake itself included.
    var messages = 0
}

extension RecordPipe {
    /// Makes a `BIO`, OpenSSL's kind of stream, that goes to the pipe which its data points to during a call.
    static func makeBIO() -> OpaquePointer? {
        // SAFETY: the method is never freed; the caller owns the stream.
        method.flatMap { BIO_new($0) }
    }

    // SAFETY: made once, and only read afterwards.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        // SAFETY: the callbacks use the pointers that they get within the call only.
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "callboard records") else {
            return nil
        }
        BIO_meth_set_read(method, read)
        BIO_meth_set_write(method, write)
        BIO_meth_set_ctrl(method) { _, command, _, _ in
            command == BIO_CTRL_FLUSH ? 1 : 0
        }
        BIO_meth_set_create(method) { bio in
            BIO_set_init(bio, 1)
            return 1
        }
        return method
    }()

    private static let read: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32 = {
        bio, memory, count in
        copenssl_clear_retry(bio)
        // SAFETY: the data is the pipe of the call that is under way, or nil; the library gives room for `count` bytes.
        guard let pipe = BIO_get_data(bio)?.assumingMemoryBound(to: RecordPipe.self), let memory, count > 0 else {
            return -1
        }
        let taken = min(Int(count), pipe.pointee.input.count)
        guard taken > 0, let base = pipe.pointee.input.baseAddress else {
            copenssl_retry_read(bio)
            return -1
        }
        memcpy(memory, base, taken)
        pipe.pointee.input = UnsafeRawBufferPointer(rebasing: pipe.pointee.input[taken...])
        return Int32(taken)
    }

    private static let write: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
        bio, memory, count in
        copenssl_clear_retry(bio)
        // SAFETY: as above; the library gives `count` bytes, which are copied. The array is the caller's, who does not
        // touch it during the call.
        guard let pipe = BIO_get_data(bio)?.assumingMemoryBound(to: RecordPipe.self), let memory, count >= 0 else {
            return -1
        }
        pipe.pointee.output.pointee.append(contentsOf: UnsafeRawBufferPointer(start: memory, count: Int(count)))
        return count
    }
}
