internal import HTTPTypes

/// Finds the names of common request fields without making a string.
///
/// An open-addressed hash table over the bytes of the names in lower case, built once for the process. A parser holds
/// a reference, so that the hot path does not go through the lazy initialisation of a global.
final class FieldNameTable: Sendable {
    /// The meaning of a field for the parser.
    enum Role: Sendable {
        case host, contentLength, transferEncoding, connection, expect, other
    }

    static let shared = FieldNameTable()

    private let names: [HTTPField.Name]
    private let roles: [Role]
    /// All names in lower case, one after the other; name *n* begins at `spellingStarts[n]`.
    private let spellings: [UInt8]
    private let spellingStarts: [Int]
    private let slots: [UInt8]

    private static let slotCount = 256
    private static let emptySlot = UInt8.max

    private init() {
        names = Self.commonNames
        roles = names.map { Self.role($0.canonicalName) }
        var spellings: [UInt8] = []
        var starts = [0]
        var slots = [UInt8](repeating: Self.emptySlot, count: Self.slotCount)
        for (number, name) in names.enumerated() {
            var hash: UInt32 = 0
            for byte in name.canonicalName.utf8 { hash = Self.mix(hash, byte) }
            var slot = Self.slot(hash)
            while slots[slot] != Self.emptySlot { slot = (slot + 1) % Self.slotCount }
            slots[slot] = UInt8(number)
            spellings += name.canonicalName.utf8
            starts.append(spellings.count)
        }
        self.spellings = spellings
        spellingStarts = starts
        self.slots = slots
    }

    /// The name with a number that ``find(_:_:hash:)`` returned, in its usual capitals.
    func name(_ number: Int) -> HTTPField.Name { names[number] }

    /// The meaning of the name with a number that ``find(_:_:hash:)`` returned.
    func role(_ number: Int) -> Role { roles[number] }

    /// Adds a byte in lower case to a hash that began at 0.
    @inline(__always)
    static func mix(_ hash: UInt32, _ byte: UInt8) -> UInt32 {
        (hash ^ UInt32(byte)) &* 0x0100_0193
    }

    /// The number of the name that is in a range, upper and lower case being the same.
    ///
    /// - Parameter hash: The hash of the range's bytes in lower case.
    @inline(__always)
    func find(_ bytes: Span<UInt8>, _ range: Range<Int>, hash: UInt32) -> Int? {
        var slot = Self.slot(hash)
        while slots[slot] != Self.emptySlot {
            let number = Int(slots[slot])
            if matches(number, bytes, range) { return number }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    @inline(__always)
    private static func slot(_ hash: UInt32) -> Int {
        Int((hash ^ (hash >> 15)) % UInt32(slotCount))
    }

    @inline(__always)
    private func matches(_ number: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let start = spellingStarts[number]
        guard spellingStarts[number + 1] - start == range.count else { return false }
        var index = start
        for position in range {
            guard ByteClass.lowercased(bytes[position]) == spellings[index] else { return false }
            index += 1
        }
        return true
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

    private static let commonNames: [HTTPField.Name] = [
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
