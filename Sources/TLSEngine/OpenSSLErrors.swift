import COpenSSL

/// The queue of errors that OpenSSL keeps for each thread.
///
/// It has to be empty before a call whose result is read from it, and is emptied afterwards: an error of one session
/// must not be taken for another's.
enum OpenSSLErrors {
    /// The first error of a queue.
    struct Entry {
        let library: Int32
        let reason: Int32
        let text: String
        /// Whether the library failed by itself, whatever the peer sent.
        let isInternal: Bool
    }

    /// Empties the queue.
    static func clear() {
        // SAFETY: touches the thread's own queue only.
        ERR_clear_error()
    }

    /// The oldest error, which is the cause of those after it. The queue is emptied.
    static func take() -> Entry {
        // SAFETY: the thread's own queue, and static texts of the library.
        let error = ERR_get_error()
        ERR_clear_error()
        let words = ERR_reason_error_string(error).map { String(cString: $0) }
        return Entry(
            library: copenssl_library(error), reason: copenssl_reason(error),
            text: words ?? (error == 0 ? "no reason is given" : "error \(error)"),
            isInternal: copenssl_is_internal(error) == 1)
    }
}
