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
        case output
        case error
    }

    /// Columns and rows.
    struct Size: Sendable, Equatable {
        var columns: Int
        var rows: Int
    }

    /// Whether somebody is looking at the stream; a terminal that cannot move its cursor does not count.
    static func isTerminal(_ stream: Stream) -> Bool {
        let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
        return isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
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
}
