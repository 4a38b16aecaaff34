/// A hash that is the same in every run of the program, on every machine: XXH64 of Yann Collet's specification.
///
/// It detects stored bytes that were changed below the database, and distinguishes requests whose answers are kept over
/// a restart. It does not resist an attacker who looks for collisions.
package struct StableHash: Sendable, Hashable {
    /// The hash of everything that was fed so far.
    package private(set) var value: UInt64

    /// Starts from a seed; different seeds give unrelated hashes.
    package init(seed: UInt64 = 0) {
        value = seed
    }

    /// Feeds bytes; how the input is divided into calls affects the hash.
    ///
    /// - Complexity: O(*n*) in the number of bytes, eight at a time.
    package mutating func combine(_ bytes: [UInt8]) {
        value = Self.hash(bytes, seed: value)
    }

    /// Feeds a text's bytes in UTF-8.
    package mutating func combine(_ text: String) {
        combine(Array(text.utf8))
    }

    /// Feeds a number.
    package mutating func combine(_ number: Int) {
        value = Self.avalanche(value ^ Self.round(0, UInt64(bitPattern: Int64(number))))
    }

    /// The XXH64 hash of some bytes.
    package static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        let words = bytes.span.bytes
        let count = bytes.count
        var offset = 0
        var hash: UInt64
        if count >= 32 {
            var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
            while offset + 32 <= count {
                lanes.0 = round(lanes.0, word(words, offset))
                lanes.1 = round(lanes.1, word(words, offset + 8))
                lanes.2 = round(lanes.2, word(words, offset + 16))
                lanes.3 = round(lanes.3, word(words, offset + 24))
                offset += 32
            }
            hash = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
        } else {
            hash = seed &+ prime5
        }
        hash &+= UInt64(count)
        while offset + 8 <= count {
            hash = rotate(hash ^ round(0, word(words, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= count {
            // SAFETY: four bytes are left at the offset, and every pattern of bits is an integer.
            let half = unsafe words.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
            hash = rotate(hash ^ (UInt64(UInt32(littleEndian: half)) &* prime1), 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < count {
            hash = rotate(hash ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
            offset += 1
        }
        return avalanche(hash)
    }

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        // SAFETY: callers have seen that eight bytes are left; the span checks it again, and any bits are an integer.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value << bits | value >> (64 - bits)
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    private static func avalanche(_ hash: UInt64) -> UInt64 {
        var hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }
}
