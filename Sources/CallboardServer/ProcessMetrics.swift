import Foundation
import Metrics
import Reactor

/// The kernel's counts of the process, under the names of Prometheus' client libraries.
///
/// Read when the page is made, and at no other time. A figure that the system does not tell is left out.
enum ProcessMetrics {
    /// The clock ticks of `/proc/self/stat` in a second (`USER_HZ`).
    private static let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))

    /// Declares the process's figures, and the version of the program as the label of a constant.
    static func declare(version: String, in registry: MetricsRegistry) {
        registry.add { text in
            text.begin("callboard_build_info", .gauge, "1; the label is the program's version.")
            text.sample("callboard_build_info", [("version", version)], 1)
        }
        let start = start()
        registry.add { text in
            if let times = statistics() {
                text.seconds(
                    "process_cpu_seconds_total", .counter, "User and system time of the process.",
                    milliseconds: (times.user + times.system) * 1000 / ticks)
                text.single(
                    "process_resident_memory_bytes", .gauge, "Resident memory of the process.",
                    times.residentPages * Int(getpagesize()))
                text.single(
                    "process_virtual_memory_bytes", .gauge, "Virtual memory of the process.", times.virtualBytes)
            }
            if let start {
                text.seconds(
                    "process_start_time_seconds", .gauge, "When the process was started, in seconds since 1970.",
                    milliseconds: start)
            }
            if let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                // One of them is the look itself.
                text.single("process_open_fds", .gauge, "Open descriptors of the process.", descriptors.count - 1)
            }
            if let limit = descriptorLimit() {
                text.single(
                    "process_max_fds", .gauge, "Descriptors that the process may have open (the soft limit).", limit)
            }
        }
    }

    /// The fields of `/proc/self/stat` that are counted here (proc_pid_stat(5)).
    private struct Statistics {
        let user, system, start, virtualBytes, residentPages: Int
    }

    private static func statistics() -> Statistics? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            // The second field is the name, which may have spaces and parentheses; the third follows its last one.
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ").map { Int($0) ?? 0 }
        guard fields.count > 21 else { return nil }
        return Statistics(
            user: fields[11], system: fields[12], start: fields[19], virtualBytes: fields[20],
            residentPages: fields[21])
    }

    /// When the process was started, in milliseconds since 1970: the kernel tells it from the machine's own start on.
    private static func start() -> Int? {
        var (now, sinceBoot) = (timespec(), timespec())
        guard let own = statistics()?.start, clock_gettime(CLOCK_REALTIME, &now) == 0,
            clock_gettime(CLOCK_BOOTTIME, &sinceBoot) == 0
        else { return nil }
        let booted = (now.tv_sec - sinceBoot.tv_sec) * 1000 + (now.tv_nsec - sinceBoot.tv_nsec) / 1_000_000
        return booted + own * 1000 / ticks
    }

    private static func descriptorLimit() -> Int? {
        (try? DescriptorLimit.current()).map { Int(clamping: $0) }
    }
}
