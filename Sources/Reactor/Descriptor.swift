import CLinux
import Glibc

/// A file descriptor that is owned in one place and closed when its owner lets go of it.
///
/// Non-copyable, so that closing twice, or using one after it was closed, does not compile. All descriptors made here
/// are close-on-exec and non-blocking. Reads and writes are for the thread of the owner.
package struct Descriptor: ~Copyable, Sendable {
    /// The number the kernel knows it by. Not to be closed, and not to be kept past the descriptor.
    package let number: Int32

    /// Takes over a descriptor that nobody else closes; a negative number stands for none.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        guard number >= 0 else { return }
        // An interrupted close has closed the descriptor on Linux; repeating it could close somebody else's.
        _ = Glibc.close(number)
    }
}
