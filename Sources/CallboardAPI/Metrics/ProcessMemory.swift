import Foundation
import Metrics

/// How much memory the process holds, as the kernel counts it.
enum ProcessMemory {
    /// Resident and virtual size in bytes, from `/proc/self/status`; `nil` where that cannot be read.
    static func current() -> (resident: Int, virtual: Int)? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        guard let resident = kibibytes("VmRSS:", in: status), let virtual = kibibytes("VmSize:", in: status) else {
            return nil
        }
        return (resident * 1024, virtual * 1024)
    }

    private static func kibibytes(_ key: String, in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
    }
}

extension ProcessMemory {
    /// Declares the memory of the process, where the system tells it.
    static func declare(in registry: MetricsRegistry) {
        registry.add { text in
            guard let memory = ProcessMemory.current() else { return }
            text.single("process_resident_memory_bytes", .gauge, "Resident memory of the process.", memory.resident)
            text.single("process_virtual_memory_bytes", .gauge, "Virtual memory of the process.", memory.virtual)
        }
    }
}
