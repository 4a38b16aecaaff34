import CMalloc
import Foundation

/// How much memory the process holds, as the kernel and as the allocator count it.
struct AllocatedMemory: Codable, Sendable {
    /// Resident bytes (`VmRSS`), after the allocator has given back what it keeps free.
    let resident: Int
    /// Bytes in blocks that are in use (`mallinfo2`), without what their sizes are rounded up by pages.
    let inUse: Int

    /// Reads both.
    static func current() throws -> AllocatedMemory {
        malloc_trim(0)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            refute("/proc/self/status has no VmRSS")
        }
        let information = mallinfo2()
        return AllocatedMemory(resident: kibibytes * 1024, inUse: information.uordblks + information.hblkhd)
    }

    /// What was added since.
    static func - (later: AllocatedMemory, earlier: AllocatedMemory) -> AllocatedMemory {
        AllocatedMemory(resident: later.resident - earlier.resident, inUse: later.inUse - earlier.inUse)
    }
}
