import CMalloc
import Synchronization

/// Releases values that take long to free, such as a list of a million elements, on a thread of its own; no loop waits
/// for it.
package enum BackgroundRelease {
    private static let threads = WaitingThreads(name: "release", limit: 1, maxWaiting: 1024)

    /// Lets go of a value on a thread of its own; from any thread. Other references to it stay valid.
    ///
    /// Values are let go of one after the other. If 1,024 values wait already, the caller frees the value itself.
    package static func release(_ value: consuming some Sendable) {
        let box = Box(value)
        if !threads.run({ box.empty() }) { box.empty() }
    }

    /// Lets go of a value in the same way once this turn of a loop is over, when whoever has been at work with it holds no
    /// reference to it any more; from that loop.
    package static func release(_ value: consuming some Sendable, afterTurnOf loop: EventLoop) {
        let box = Box(value)
        loop.execute {
            if !threads.run({ box.empty() }) { box.empty() }
        }
    }

    /// Has the allocator give the pages back to the system that it keeps free, once what waits to be let go of is gone; from any
    /// thread.
    ///
    /// - Complexity: O(n) in the memory that the process has taken from the allocator, on a thread of its own.
    ///   Threads that allocate in the same arena wait meanwhile.
    package static func giveBack() {
        _ = threads.run { malloc_trim(0) }
    }

    /// Holds a value until it is taken out: so the thread has the last reference, whoever is first to let go of the box.
    private final class Box<Value: Sendable>: Sendable {
        private let value: Mutex<Value?>

        init(_ value: consuming Value) {
            self.value = Mutex(value)
        }

        func empty() {
            _ = value.withLock { $0.take() }
        }
    }
}
