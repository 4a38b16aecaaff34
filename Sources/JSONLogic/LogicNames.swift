import JSONValues

/// The names of an object's members, found by their hashes.
struct LogicNames: Sendable {
    /// The member names of the data that the body of `reduce` is evaluated on.
    static let reduction = LogicNames(["current", "accumulator"])
    /// The member names of the level between an element and the data around it (`val`'s odd levels).
    static let iteration = LogicNames(["index"])

    /// The names, each once.
    let steps: JSONSteps

    /// Places at and behind the one that a name's hash leads to, -1 where there is none; none at all for few names.
    private let slots: [Int32]

    init(_ names: [String]) {
        var steps = JSONSteps()
        for name in names { steps.append(name) }
        self.steps = steps
        guard names.count > 8 else {
            slots = []
            return
        }
        var capacity = 16
        while capacity < names.count * 2 { capacity *= 2 }
        var slots = [Int32](repeating: -1, count: capacity)
        for (place, step) in steps.steps.enumerated() {
            var slot = step.hash & (capacity - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = Int32(clamping: place)
        }
        self.slots = slots
    }

    /// The name at a place.
    func name(at place: Int) -> String {
        steps.name(at: place)
    }

    /// The place of the name of a step.
    ///
    /// - Complexity: O(1).
    func place(of step: Int, in other: JSONSteps) -> Int? {
        slots.isEmpty ? steps.place(of: step, in: other) : steps.place(of: step, in: other, slots: slots)
    }
}
