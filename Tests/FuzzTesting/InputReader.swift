/// Takes an input apart into the choices that an exercise makes.
struct InputReader {
    private let bytes: [UInt8]
    private let repeats: Bool
    private var index = 0

    /// Reads bytes from the first one on; behind the last one begins again where `repeats` says so, else gives 0.
    init(_ bytes: some Sequence<UInt8>, repeats: Bool = false) {
        self.bytes = Array(bytes)
        self.repeats = repeats
    }

    /// Whether every byte was read; never where they repeat.
    var isAtEnd: Bool { !repeats && index >= bytes.count }

    /// The next byte.
    mutating func byte() -> UInt8 {
        if index >= bytes.count {
            guard repeats, !bytes.isEmpty else { return 0 }
            index = 0
        }
        defer { index += 1 }
        return bytes[index]
    }

    /// A number below a bound of at most 256; 0 behind the last byte.
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    /// True for every other byte; false behind the last one.
    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// A number of 16 bits.
    mutating func number() -> Int { Int(byte()) << 8 | Int(byte()) }

    /// The next bytes, fewer where the input ends.
    mutating func take(_ count: Int) -> [UInt8] {
        (0..<count).compactMap { _ in isAtEnd ? nil : byte() }
    }

    /// What has not been read; nothing is left then.
    mutating func rest() -> [UInt8] {
        defer { index = bytes.count }
        return Array(bytes.dropFirst(index))
    }
}
