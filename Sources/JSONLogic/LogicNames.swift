/// A step of a path: a member's name, which is an element's position at the same time where it is written as one.
struct LogicKey: Sendable, Hashable {
    /// The name in UTF-8.
    let utf8: [UInt8]

    /// A hash that equal names share.
    let hash: Int

    /// The position in an array, -1 where the name is none: digits without leading zeros.
    let position: Int

    init(_ name: String) {
        utf8 = Array(name.utf8)
        hash = name.hashValue
        let isPlain = !utf8.isEmpty && utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isCanonical = isPlain && (utf8.count == 1 || utf8[0] != UInt8(ascii: "0"))
        position = isCanonical ? Int(name) ?? -1 : -1
    }

    /// The steps of a path whose names are separated by points, as `var` has it.
    static func split(_ path: String) -> [LogicKey] {
        path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            LogicKey(String(Substring($0)))
        }
    }

    /// The name.
    var name: String {
        String(decoding: utf8, as: UTF8.self)
    }
}

/// The names of an object's members, found by their hashes.
final class LogicNames: Sendable {
    /// What `reduce` evaluates its body on.
    static let reduction = LogicNames(["current", "accumulator"])
    /// What stands between an element and the data around it (`val`'s odd levels).
    static let iteration = LogicNames(["index"])

    /// The names, each once.
    let keys: [LogicKey]

    /// Places in `keys` at and behind the one that the hash leads to, -1 where there is none; none at all for few names.
    private let slots: [Int32]

    init(_ names: [String]) {
        let keys = names.map(LogicKey.init)
        self.keys = keys
        guard keys.count > 8 else {
            slots = []
            return
        }
        var capacity = 16
        while capacity < keys.count * 2 { capacity *= 2 }
        var slots = [Int32](repeating: -1, count: capacity)
        for (place, key) in keys.enumerated() {
            var slot = key.hash & (capacity - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = Int32(clamping: place)
        }
        self.slots = slots
    }

    /// The place of a name.
    ///
    /// - Complexity: O(1).
    func position(of key: LogicKey) -> Int? {
        guard !slots.isEmpty else {
            for place in keys.indices where keys[place].hash == key.hash && keys[place].utf8 == key.utf8 {
                return place
            }
            return nil
        }
        var slot = key.hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if keys[place].hash == key.hash, keys[place].utf8 == key.utf8 { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }
}
