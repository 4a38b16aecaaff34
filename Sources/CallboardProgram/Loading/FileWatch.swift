import Foundation

/// Notices when a file changes, by looking at it now and then.
struct FileWatch: Sendable {
    /// The stamp that tells one content of a file from another without reading it.
    struct Stamp: Sendable, Equatable {
        let modified: Date?
        let size: Int?
        let number: UInt64?
    }

    let clock: any Clock<Duration>
    var interval = Duration.milliseconds(500)
    let stamp: @Sendable () -> Stamp

    init(path: String, clock: any Clock<Duration> = ContinuousClock()) {
        self.init(clock: clock) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return Stamp(
                modified: attributes?[.modificationDate] as? Date, size: (attributes?[.size] as? NSNumber)?.intValue,
                number: (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value)
        }
    }

    init(clock: any Clock<Duration>, stamp: @escaping @Sendable () -> Stamp) {
        self.clock = clock
        self.stamp = stamp
    }

    /// Waits until the file differs from `known`, is there, and has kept still for one interval: an editor or a copy
    /// may take a moment to write it.
    func change(from known: Stamp) async throws -> Stamp {
        var previous = known
        while true {
            try await clock.sleep(for: interval)
            let current = stamp()
            if current != known, current == previous, current.size != nil { return current }
            previous = current
        }
    }
}
