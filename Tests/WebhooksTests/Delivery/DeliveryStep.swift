import TestSupport

/// One thing that happens to the queues of a ``DeliveryWorld``; what it means is settled when it is taken.
struct DeliveryStep: CustomStringConvertible {
    enum Kind: CaseIterable {
        /// Someone notifies: one draft or several, with new identifiers or a known one, coalesced or not.
        case notify
        /// The store answers the oldest write that it has.
        case store
        /// An attempt ends.
        case end
        /// Time passes.
        case wait
        /// Someone asks for another attempt.
        case retry
        /// Someone removes a dead one, or tries to.
        case remove
        /// A hook is replaced.
        case hurry
        /// A hook is removed, or its director.
        case forget
        /// The process is killed and started again.
        case kill
    }

    let kind: Kind
    let numbers: [Int]

    init(_ kind: Kind, _ numbers: [Int]) {
        self.kind = kind
        self.numbers = numbers
    }

    /// Something that is likely to be reached often enough to matter.
    init(_ random: inout SeededGenerator) {
        let kind: Kind =
            switch random.below(100) {
            case 0..<28: .notify
            case 28..<56: .store
            case 56..<78: .end
            case 78..<87: .wait
            case 87..<91: .retry
            case 91..<94: .remove
            case 94..<96: .hurry
            case 96..<98: .forget
            default: .kill
            }
        self.init(kind, (0..<4).map { _ in random.below(1000) })
    }

    /// One of some things, by one of the step's numbers; nil where there are none.
    func pick<Value>(_ number: Int, of values: [Value]) -> Value? {
        values.isEmpty ? nil : values[numbers[number] % values.count]
    }

    /// True in so many of a hundred cases.
    func percent(_ number: Int, _ percent: Int) -> Bool {
        numbers[number] % 100 < percent
    }

    var description: String { "\(kind)\(numbers)" }
}

extension [DeliveryStep] {
    /// The steps without those that a failure can do without.
    func shrunk(_ fails: ([DeliveryStep]) -> Bool) -> [DeliveryStep] {
        var steps = self
        var size = steps.count / 2
        while size > 0 {
            var start = 0
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<Swift.min(start + size, steps.count))
                if fails(fewer) { steps = fewer } else { start += size }
            }
            size /= 2
        }
        return steps
    }
}
