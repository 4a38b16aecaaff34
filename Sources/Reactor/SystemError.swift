import Glibc

/// A system call that failed: which one, and its error number.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, for example `bind`.
    package let call: String
    /// The value of `errno` right after the call.
    package let number: Int32

    /// Makes the error of a call whose error number was read already.
    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// Whether the process (`EMFILE`) or the machine (`ENFILE`) has no descriptor left, or no memory for one.
    package var isOutOfDescriptors: Bool {
        number == EMFILE || number == ENFILE || number == ENOBUFS || number == ENOMEM
    }

    /// The call and the reason, for example `bind to 127.0.0.1:80: Permission denied`.
    package var description: String {
        // SAFETY: strerror returns a NUL-terminated text that is copied before any other call.
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return "\(call): \(reason)"
    }
}
