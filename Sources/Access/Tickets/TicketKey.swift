import COpenSSL
import Notation

/// The secret that seals stream tickets: no server has to store them, and only holders of the key can make or read one.
///
/// AES-256-GCM with random nonces: one key is good for 2³² tickets (NIST SP 800-38D, section 8.3).
package struct TicketKey: Sendable {
    /// The prefix of every sealed ticket.
    package static let prefix = "cbs_"

    private let bytes: [UInt8]

    /// Makes a key that nobody knows.
    package static func random() -> TicketKey {
        TicketKey(bytes: randomBytes(Int(COPENSSL_SEAL_KEY_BYTES)))
    }

    /// Makes the key of a cluster's nodes: what one of them has sealed, each can open.
    package init(of secret: SharedSecret) {
        self.init(bytes: secret.key(for: "tickets"))
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The ticket as text of letters, digits, `-` and `_`: a secret for as long as the ticket is good.
    ///
    /// - Complexity: O(bytes of the ticket).
    package func seal(_ ticket: StreamTicket) -> String {
        let text = ticket.encoded
        let nonce = Self.randomBytes(Int(COPENSSL_SEAL_NONCE_BYTES))
        let tag = Int(COPENSSL_SEAL_TAG_BYTES)
        let sealed = [UInt8](unsafeUninitializedCapacity: text.count + tag) { sealed, count in
            // SAFETY: key and nonce have the sizes of the algorithm, and the library writes as many bytes as the text has
            // and the tag, which is what there is room for.
            let isDone = copenssl_seal(bytes, nonce, text, text.count, sealed.baseAddress)
            // It fails only where there is no memory at all.
            precondition(isDone == 1, "libcrypto has no AES-256-GCM")
            count = text.count + tag
        }
        return Self.prefix + Base64URL.encode(nonce + sealed)
    }

    /// Opens a ticket.
    ///
    /// - Parameters:
    ///   - text: The sealed ticket.
    ///   - now: The seconds since 1970.
    /// - Complexity: O(bytes of the text).
    /// - Throws: ``TicketFault`` for what this key has not sealed, and for a ticket whose time is over.
    package func open(_ text: some StringProtocol, now: Int) throws(TicketFault) -> StreamTicket {
        let overhead = Int(COPENSSL_SEAL_NONCE_BYTES) + Int(COPENSSL_SEAL_TAG_BYTES)
        guard text.hasPrefix(Self.prefix), let sealed = Base64URL.decode(text.utf8.dropFirst(Self.prefix.utf8.count)),
            sealed.count > overhead, let opened = unseal(sealed, count: sealed.count - overhead),
            let ticket = StreamTicket(encoded: opened)
        else { throw .unknown }
        guard now < ticket.expiresAt else { throw .expired }
        return ticket
    }

    private func unseal(_ sealed: [UInt8], count: Int) -> [UInt8]? {
        let nonce = Array(sealed.prefix(Int(COPENSSL_SEAL_NONCE_BYTES)))
        let rest = Array(sealed.dropFirst(nonce.count))
        var isRight: Int32 = 0
        let text = [UInt8](unsafeUninitializedCapacity: count) { text, written in
            // SAFETY: as above; `rest` has `count` bytes and the tag, and `text` has room for `count`.
            isRight = copenssl_unseal(bytes, nonce, rest, count, text.baseAddress)
            written = isRight == 1 ? count : 0
        }
        return isRight == 1 ? text : nil
    }

    /// Bytes of the system's generator, which is cryptographically secure.
    private static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
