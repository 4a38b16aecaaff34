/// The numbers that were taken of one sender's messages: each is taken once, in whatever order they come, unless one that is
/// higher by ``size`` or more was taken before.
struct SequenceWindow: Sendable {
    /// How far behind the highest number another one may come.
    static let size = 16_384

    private var highest = 0
    /// A bit for each of the last ``size`` numbers, at the number's remainder.
    private var taken = [UInt64](repeating: 0, count: size / 64)

    /// Takes a number.
    ///
    /// - Returns: Whether it was not taken before, as far as is known.
    /// - Complexity: O(distance to the highest number before), and no more than ``size``.
    mutating func take(_ number: Int) -> Bool {
        guard number > 0, number > highest - Self.size else { return false }
        if number - highest >= Self.size {
            taken = Array(repeating: 0, count: taken.count)
        } else if number > highest {
            for passed in highest + 1...number { taken[passed / 64 % taken.count] &= ~Self.bit(of: passed) }
        }
        highest = max(highest, number)
        let word = number / 64 % taken.count
        defer { taken[word] |= Self.bit(of: number) }
        return taken[word] & Self.bit(of: number) == 0
    }

    private static func bit(of number: Int) -> UInt64 { 1 << UInt64(number % 64) }
}
