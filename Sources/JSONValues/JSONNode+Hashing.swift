import CSimdJSON
import Notation

extension JSONNode {
    /// A hash that equal values share, whatever the order of their members and the spelling of their numbers and
    /// strings.
    ///
    /// Its seed differs for each process: nobody can prepare colliding values. It must not be stored.
    ///
    /// - Complexity: O(*n*) in the length of the value's text.
    package var canonicalHash: UInt64 {
        // SAFETY: both buffers are read inside the closures only, at places that the tape names, which lie in them.
        tape.entries.withUnsafeBufferPointer { entries in
            tape.bytes.withUnsafeBytes { bytes in
                TapeHasher(tape: tape, entries: entries, bytes: bytes).hash(at: index)
            }
        }
    }
}

/// Hashes values without making a node for each.
private struct TapeHasher {
    let tape: Tape
    let entries: UnsafeBufferPointer<Tape.Entry>
    let bytes: UnsafeRawBufferPointer
    let start = WordHasher.seeded

    func hash(at index: Int) -> UInt64 {
        var hasher = start
        let kind = entries[index].kind & UInt32(CALLBOARD_JSON_KIND_MASK)
        hasher.combine(UInt64(kind))
        switch Int(kind) {
        case Int(CALLBOARD_JSON_NUMBER): combineNumber(at: index, into: &hasher)
        case Int(CALLBOARD_JSON_STRING): combineString(at: index, into: &hasher)
        case Int(CALLBOARD_JSON_ARRAY):
            var child = index + 1
            while child < Int(entries[index].next) {
                hasher.combine(hash(at: child))
                child = Int(entries[child].next)
            }
        case Int(CALLBOARD_JSON_OBJECT): hasher.combine(memberSum(at: index))
        default: break
        }
        return hasher.value
    }

    /// A sum, since the order of the members does not matter.
    private func memberSum(at index: Int) -> UInt64 {
        var sum: UInt64 = 0
        var name = index + 1
        while name < Int(entries[index].next) {
            var hasher = start
            combineString(at: name, into: &hasher)
            hasher.combine(hash(at: name + 1))
            sum &+= hasher.value
            name = Int(entries[name + 1].next)
        }
        return sum
    }

    private func combineString(at index: Int, into hasher: inout WordHasher) {
        let entry = entries[index]
        if entry.kind & UInt32(CALLBOARD_JSON_ESCAPED) != 0 {
            let content = JSONEscapes.decodedBytes(JSONNode(tape: tape, index: index).content)
            // SAFETY: the buffer is read inside the closure only.
            content.withUnsafeBytes { hasher.combine($0) }
        } else {
            let start = Int(entry.offset) + 1
            let end = start + Int(entry.length) - 2
            // SAFETY: the parser has seen to it that a string lies inside the text, with its quotes.
            hasher.combine(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
    }

    /// Most numbers are small integers, whose value is at hand without bringing them into canonical form.
    private func combineNumber(at index: Int, into hasher: inout WordHasher) {
        let node = JSONNode(tape: tape, index: index)
        if let int = node.smallInteger {
            hasher.combine(UInt64(bitPattern: Int64(int)))
            return
        }
        let number = DecimalNumber(node.text)
        hasher.combine(UInt64(bitPattern: Int64(number.int ?? number.hashValue)))
    }
}

/// A fast hash of 64-bit words by folded multiplication, several times as quick on short strings as the standard
/// library's hasher.
///
/// The hash is compared, never trusted: two values with equal hashes are compared themselves. So the hash need not
/// resist an attacker who sees hashes; the seeds only prevent collisions that work against every server.
private struct WordHasher {
    /// A hasher that nothing was fed to, with the seeds of this run of the process.
    static let seeded = WordHasher(seed: .random(in: .min ... .max), multiplier: .random(in: .min ... .max) | 1)

    private(set) var value: UInt64
    private let multiplier: UInt64

    private init(seed: UInt64, multiplier: UInt64) {
        value = seed
        self.multiplier = multiplier
    }

    mutating func combine(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: multiplier)
        // The state before is added, so that a word that makes the product zero does not make what was fed forgotten.
        value = (product.high ^ product.low) &+ value.byteSwapped
    }

    /// Feeds the number of bytes, then the bytes in words, the last one filled up with zeros.
    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        combine(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            // SAFETY: eight bytes from here on lie in the buffer.
            combine(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        combine(rest)
    }
}

extension JSONNode {
    /// The number, where it is written as an integer of at most 18 digits.
    var smallInteger: Int? {
        let text = text
        guard text.count <= 19 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        let magnitude = isNegative ? text.dropFirst() : text
        guard magnitude.count <= 18 else { return nil }
        var value = 0
        for byte in magnitude {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }
}
