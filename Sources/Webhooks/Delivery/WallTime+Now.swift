import Directors
import Foundation

extension WallTime {
    /// The time of the machine's clock.
    @Sendable
    package static func now() -> WallTime {
        WallTime(milliseconds: Int(Date().timeIntervalSince1970 * 1000))
    }
}
