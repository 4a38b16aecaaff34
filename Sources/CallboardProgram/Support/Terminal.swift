import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal that the program runs in.
enum Terminal {
    /// A stream that may or may not be a terminal.
    enum Stream {
        case input
        case output
        case error

        fileprivate var descriptor: Int32 {
            switch self {
            case .input: STDIN_FILENO
            case .output: STDOUT_FILENO
            case .error: STDERR_FILENO
            }
        }
    }

    /// Columns and rows.
    struct Size: Sendable, Equatable {
        var columns: Int
        var rows: Int
    }

    /// Whether somebody is looking at the stream; a terminal that cannot move its cursor does not count.
    static func isTerminal(_ stream: Stream) -> Bool {
        isatty(stream.descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Whether colour is welcome (https://no-color.org).
    static var wantsColor: Bool { (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty }

    /// The terminal's size, 80 by 24 where it does not say.
    static var size: Size {
        var window = winsize()
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] where ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 {
            if window.ws_col > 0, window.ws_row > 0 {
                return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
            }
        }
        return Size(columns: 80, rows: 24)
    }

    /// Whether the process may use the terminal: its shell has not put it into the background.
    static var isForeground: Bool {
        // A terminal that does not control the process has no foreground.
        let group = tcgetpgrp(STDOUT_FILENO)
        return group < 0 || group == getpgrp()
    }

    /// Stops the process as SIGTSTP does by default; returns once it is continued, or at once where no shell could do that.
    ///
    /// While it is stopped, a signal that ends a program ends it, and nothing else is done: the terminal has to be given
    /// back before.
    static func stop() {
        let numbers = [SIGTSTP, SIGINT, SIGTERM, SIGHUP]
        var mask = sigset_t()
        sigemptyset(&mask)
        let actions = numbers.map { number in
            // An action of zeros is the default.
            var standard = sigaction()
            var action = sigaction()
            sigaction(number, &standard, &action)
            sigaddset(&mask, number)
            return action
        }
        // Dispatch's threads block signals. Where this one does not, `raise` returns after the stop.
        var blocked = sigset_t()
        pthread_sigmask(SIG_UNBLOCK, &mask, &blocked)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        for (number, action) in zip(numbers, actions) {
            var action = action
            sigaction(number, &action, nil)
        }
    }
}
