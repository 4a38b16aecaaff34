/// Steps of ways inwards, by members' names or elements' positions, prepared so that going them often makes nothing.
///
/// All names are kept in one buffer; a way is a range of steps.
package struct JSONSteps: Sendable {
    /// One step.
    package struct Step: Sendable {
        let start: Int32
        let count: Int32

        /// The first 16 bytes of the name, so that most names are compared as two numbers.
        let head: UInt64
        let tail: UInt64

        /// The position in an array, -1 where the name is none: digits without leading zeros.
        package let position: Int

        /// A hash that equal names share; it differs from one run of the process to the next.
        package let hash: Int
    }

    /// The names in UTF-8, one behind the other.
    private(set) var names: [UInt8] = []

    /// The steps in the order in which they were added.
    package private(set) var steps: [Step] = []

    /// Starts without steps.
    package init() {}

    /// Adds a step and gives its place.
    ///
    /// - Complexity: O(*n*) in the length of the name.
    @discardableResult
    package mutating func append(_ name: String) -> Int {
        let start = names.count
        names += name.utf8
        let digits = names[start...]
        let isPlain = !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isPosition = isPlain && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
        steps.append(
            Step(
                start: Int32(clamping: start), count: Int32(clamping: digits.count),
                head: JSONSteps.word(digits.prefix(8)),
                tail: JSONSteps.word(digits.dropFirst(8).prefix(8)),
                position: isPosition ? Int(name) ?? -1 : -1, hash: name.hashValue))
        return steps.count - 1
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { word, byte in word << 8 | UInt64(byte) }
    }

    /// The name of the step at a place.
    package func name(at place: Int) -> String {
        let step = steps[place]
        return String(decoding: names[Int(step.start)..<Int(step.start) + Int(step.count)], as: UTF8.self)
    }

    /// How many bytes of UTF-8 the name of the step at a place takes.
    package func length(at place: Int) -> Int {
        Int(steps[place].count)
    }

    /// The place of the first step that has the name of another, scalar by scalar; nil where there is none.
    ///
    /// - Complexity: O(*n*) in the number of steps.
    package func place(of step: Int, in other: JSONSteps) -> Int? {
        let (wanted, own) = (other.steps[step], steps)
        var place = 0
        let head = wanted.head
        while place < own.count {
            if own[place].head == head, own[place].mayName(wanted), isName(at: place, wanted, in: other) {
                return place
            }
            place += 1
        }
        return nil
    }

    /// The place among some that has the name of another step, where `slots` leads from hashes to places.
    ///
    /// - Parameter slots: Places at the remainder of their hash and behind it, -1 where there is none; as many as a power
    ///   of two, and one at least is free.
    /// - Complexity: O(1).
    package func place(of step: Int, in other: JSONSteps, slots: [Int32]) -> Int? {
        let wanted = other.steps[step]
        var slot = wanted.hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if steps[place].mayName(wanted), isName(at: place, wanted, in: other) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func isName(at place: Int, _ wanted: Step, in other: JSONSteps) -> Bool {
        wanted.count <= 16 || isEnd(at: place, wanted, in: other)
    }

    /// Whether two names that begin alike go on alike.
    @inline(never)
    private func isEnd(at place: Int, _ wanted: Step, in other: JSONSteps) -> Bool {
        let (start, otherStart, count) = (Int(steps[place].start), Int(wanted.start), Int(wanted.count))
        for offset in 16..<count where names[start + offset] != other.names[otherStart + offset] { return false }
        return true
    }
}

extension JSONSteps.Step {
    /// The bits of a word of eight bytes that a name of at most as many bytes takes.
    var mask: UInt64 {
        count == 0 ? 0 : UInt64.max >> UInt64(64 - 8 * Int(count))
    }

    /// Whether the lengths and the first 16 bytes of two names agree.
    fileprivate func mayName(_ other: Self) -> Bool {
        head == other.head && tail == other.tail && count == other.count
    }
}
