#if canImport(os)
    import os

    /// A value behind a lock. Apple's systems have `Mutex` from iOS 18 and macOS 15 on only, so that there it stands on the
    /// lock that they have had since iOS 16 and macOS 13.
    struct Locked<Value>: Sendable {
        private let lock: OSAllocatedUnfairLock<Value>

        /// Puts a value behind a lock.
        init(_ value: sending Value) {
            lock = OSAllocatedUnfairLock(uncheckedState: value)
        }

        /// Calls a closure with the value while no other thread has it. The closure has to be short.
        func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
            try lock.withLockUnchecked(body)
        }
    }
#else
    import Synchronization

    /// A value behind a lock.
    typealias Locked = Mutex
#endif
