import CLinux
import Glibc

/// The result of a call on a non-blocking descriptor.
package enum Outcome<Value> {
    /// The call did its work.
    case done(Value)
    /// The call would have had to wait; the loop reports when it is worth another try.
    case wouldBlock
}

extension Outcome: Sendable where Value: Sendable {}

/// The one place where the engines call the kernel on a descriptor.
///
/// Every call reads `errno` at once, is repeated when a signal interrupted it, and says "would block" as a value rather
/// than as an error. `EBADF` and `EFAULT` can only be bugs of this process, and trap where they happen.
package enum SystemCall {
    /// Runs a call that does not wait.
    @inline(__always)
    static func run(_ name: @autoclosure () -> String, _ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = errno
            if number == EINTR { continue }
            try fail(name(), number)
        }
    }

    /// Runs a call that may have to wait.
    @inline(__always)
    static func runNonBlocking(_ name: @autoclosure () -> String, _ call: () -> Int) throws(SystemError) -> Outcome<Int>
    {
        while true {
            let result = call()
            if result >= 0 { return .done(result) }
            let number = errno
            if number == EINTR { continue }
            if number == EAGAIN || number == EWOULDBLOCK { return .wouldBlock }
            try fail(name(), number)
        }
    }

    /// Runs a call that waits for events, once: a signal that interrupts it counts as no event.
    ///
    /// The caller looks at the time again before it waits on, so that a signal does not put off a timer.
    @inline(__always)
    static func runWaiting(_ name: @autoclosure () -> String, _ call: () -> Int) throws(SystemError) -> Int {
        let result = call()
        if result >= 0 { return result }
        let number = errno
        if number == EINTR { return 0 }
        try fail(name(), number)
    }

    @inline(never)
    private static func fail(_ name: String, _ number: Int32) throws(SystemError) -> Never {
        precondition(number != EBADF && number != EFAULT, "\(name) was given a descriptor or address that is not ours")
        throw SystemError(call: name, number: number)
    }
}
