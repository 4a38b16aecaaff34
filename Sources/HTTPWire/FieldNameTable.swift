internal import HTTPTypes

/// Finds the names of common request fields without making a string.
///
/// An open-addressed hash table over the bytes of the names in lower case, built once for the process. A parser holds
/// a reference, so that the hot path does not go through the lazy initialisation of a global.
final class FieldNameTable: Sendable {
    /// What a field means to the parser itself.
    enum Role: Sendable {
        case host, contentLength, transferEncoding, connection, expect, other
    }

    /// A known name.
    struct Entry: Sendable {
        let name: HTTPField.Name
        let role: Role
        let spelling: [UInt8]
    }

    static let shared = FieldNameTable()

    private let entries: [Entry]
    private let slots: [UInt8]

    private static let slotCount = 256
    private static let emptySlot = UInt8.max

    private init() {
        let entries = Self.names.map(Self.entry)
        var slots = [UInt8](repeating: Self.emptySlot, count: Self.slotCount)
        for (number, entry) in entries.enumerated() {
            var hash: UInt32 = 0
            for byte in entry.spelling { hash = Self.mix(hash, byte) }
            var slot = Self.slot(hash)
            while slots[slot] != Self.emptySlot { slot = (slot + 1) % Self.slotCount }
            slots[slot] = UInt8(number)
        }
        self.entries = entries
        self.slots = slots
    }

    /// Adds a byte in lower case to a hash that began at 0.
    @inline(__always)
    static func mix(_ hash: UInt32, _ byte: UInt8) -> UInt32 {
        (hash ^ UInt32(byte)) &* 0x0100_0193
    }

    /// The entry whose name is in a range, upper and lower case being the same.
    ///
    /// - Parameter hash: The hash of the range's bytes in lower case.
    @inline(__always)
    func find(_ bytes: Span<UInt8>, _ range: Range<Int>, hash: UInt32) -> Entry? {
        var slot = Self.slot(hash)
        while slots[slot] != Self.emptySlot {
            let entry = entries[Int(slots[slot])]
            if Self.matches(entry.spelling, bytes, range) { return entry }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    @inline(__always)
    private static func slot(_ hash: UInt32) -> Int {
        Int((hash ^ (hash >> 15)) % UInt32(slotCount))
    }

    private static func matches(_ spelling: [UInt8], _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard spelling.count == range.count else { return false }
        for offset in 0..<spelling.count
        where ByteClass.lowercased(bytes[range.lowerBound + offset]) != spelling[offset] {
            return false
        }
        return true
    }

    private static func entry(_ name: HTTPField.Name) -> Entry {
        Entry(name: name, role: role(name.canonicalName), spelling: Array(name.canonicalName.utf8))
    }

    private static func role(_ name: String) -> Role {
        switch name {
        case "host": .host
        case "content-length": .contentLength
        case "transfer-encoding": .transferEncoding
        case "connection": .connection
        case "expect": .expect
        default: .other
        }
    }

    private static let names: [HTTPField.Name] = [
        "Host", "Content-Length", "Transfer-Encoding", "Connection", "Expect",
        "Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers",
        "Access-Control-Request-Method", "Authorization", "Cache-Control", "Content-Encoding", "Content-Language",
        "Content-Type", "Cookie", "Date", "DNT", "Forwarded", "From", "Idempotency-Key", "If-Match",
        "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Keep-Alive", "Last-Event-ID",
        "Origin", "Pragma", "Priority", "Range", "Referer", "Sec-CH-UA", "Sec-CH-UA-Mobile", "Sec-CH-UA-Platform",
        "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User", "Sec-GPC", "TE", "Traceparent",
        "Tracestate", "Trailer", "Upgrade", "Upgrade-Insecure-Requests", "User-Agent", "Via", "X-Forwarded-For",
        "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "X-Request-ID", "X-Requested-With",
    ].compactMap { HTTPField.Name($0) }
}
