import COpenSSL
import Glibc
import Synchronization

/// The keys that session tickets are sealed with (RFC 5077): a new one every eight hours, the two before it accepted.
///
/// Any thread may use them. A server that reads its certificates anew can hand the keys on to the next context, so that
/// clients' tickets stay good.
package final class TLSTicketKeys: Sendable {
    /// How many seconds a key seals tickets for.
    package static let period = 8 * 3600
    /// How many keys open tickets, the one that seals them included.
    package static let count = 3

    private let keys = Mutex<[TicketKey]>([])
    private let clock: @Sendable () -> Int

    /// Makes keys that rotate by a clock in seconds, which must not go back; without one, by the time since the machine
    /// was started.
    package init(clock: @escaping @Sendable () -> Int = TLSTicketKeys.uptime) {
        self.clock = clock
    }

    /// The seconds since the machine was started, its sleep included.
    package static let uptime: @Sendable () -> Int = {
        var time = timespec()
        // SAFETY: filled in during the call.
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// The key to seal with now; nil where the library has no random bytes.
    func sealing() -> TicketKey? {
        let now = clock()
        return keys.withLock { keys in
            if let newest = keys.first, now - newest.made < Self.period { return newest }
            guard let key = TicketKey(made: now) else { return nil }
            keys.insert(key, at: 0)
            Self.drop(from: &keys, at: now)
            return key
        }
    }

    /// The key of this name, where it is still accepted.
    func opening(name: UnsafeRawBufferPointer) -> TicketKey? {
        let now = clock()
        return keys.withLock { keys in
            Self.drop(from: &keys, at: now)
            return keys.first { $0.name.elementsEqual(name) }
        }
    }

    private static func drop(from keys: inout [TicketKey], at now: Int) {
        keys.removeAll { now - $0.made >= period * count }
        if keys.count > count { keys.removeLast(keys.count - count) }
    }
}

/// One key, with the name that tickets call it by.
final class TicketKey: Sendable {
    static let nameCount = 16

    let made: Int
    let name: [UInt8]
    let cipherKey: [UInt8]
    let codeKey: [UInt8]

    init?(made: Int) {
        guard let name = Self.random(Self.nameCount), let cipherKey = Self.random(32), let codeKey = Self.random(32)
        else { return nil }
        self.made = made
        self.name = name
        self.cipherKey = cipherKey
        self.codeKey = codeKey
    }

    private static func random(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: the library fills in as many bytes as the array has.
        return RAND_priv_bytes(&bytes, Int32(count)) == 1 ? bytes : nil
    }

    /// Prepares the library to seal or to open a ticket.
    func prepare(cipher: OpaquePointer?, code: OpaquePointer?, vector: UnsafePointer<UInt8>?, seals: Bool) -> Bool {
        var codeKey = codeKey
        // SAFETY: the keys have the 32 bytes that the library reads, and the vector its 16.
        return copenssl_use_ticket_key(cipher, code, cipherKey, &codeKey, vector, seals ? 1 : 0) == 1
    }
}
