import ListDiff

/// A list beside the array that it should be equal to.
struct ListVersion {
    var list: PersistentList<Card>
    var array: [Card]
}

/// What a step can throw.
struct StepError: Error {}

/// Carries out the steps of a case on a list and on an array, and compares everything that can be asked after each.
struct ListJudge {
    private var current: ListVersion
    private var retained: [ListVersion] = []

    /// A change to each list after each step, for testing the judge.
    var fault: (inout PersistentList<Card>) -> Void = { _ in }

    init(_ cards: [Card]) {
        current = ListVersion(list: PersistentList(cards), array: cards)
    }

    /// What is wrong after some step, or nil.
    static func violation(
        _ listCase: ListCase,
        fault: @escaping (inout PersistentList<Card>) -> Void = { _ in }
    ) -> String? {
        var judge = ListJudge(listCase.cards)
        judge.fault = fault
        if let violation = judge.violation() {
            return "at first: \(violation)"
        }
        for (number, step) in listCase.steps.enumerated() {
            judge.take(step)
            judge.fault(&judge.current.list)
            if let violation = judge.violation() {
                return "after step \(number), \(step): \(violation)"
            }
        }
        for version in judge.retained {
            if let violation = Self.violation(version) {
                return "in a list that was retained: \(violation)"
            }
        }
        return nil
    }

    // MARK: - Steps

    private mutating func take(_ step: ListStep) {
        switch step {
        case .retain:
            retained.append(current)
        case .restore:
            if !retained.isEmpty {
                let last = retained.removeLast()
                retained.append(current)
                current = last
            }
        case .joinRetained(let isInFront):
            join(retained.last ?? current, isInFront: isInFront)
        case .adopt(let steps):
            adopt(steps)
        default:
            current.take(step)
        }
    }

    private mutating func join(_ other: ListVersion, isInFront: Bool) {
        guard other.array.count + current.array.count < 10_000 else {
            return
        }
        let (first, second) = isInFront ? (other, current) : (current, other)
        current = first
        current.list.append(contentsOf: second.list)
        current.array += second.array
    }

    private mutating func adopt(_ steps: [ListStep]) {
        var changed = current
        for step in steps {
            changed.take(step)
        }
        current.list = current.list.adopting(changed.array) { $0 == $1 }
        current.array = changed.array
    }

    // MARK: - Comparing

    private func violation() -> String? {
        Self.violation(current)
    }

    private static func violation(_ version: ListVersion) -> String? {
        let (list, array) = (version.list, version.array)
        if let broken = list.brokenInvariants().first {
            return broken
        }
        guard list.count == array.count, list.elementsEqual(array) else {
            return "\(Array(list)) is not \(array)"
        }
        return measureViolation(list, array) ?? lookUpViolation(list, array)
    }

    private static func measureViolation(_ list: PersistentList<Card>, _ array: [Card]) -> String? {
        var sum = Weight()
        let stride = 1 + array.count / 16
        for (position, card) in array.enumerated() {
            if position % stride == 0 {
                if list.measure(before: position) != sum {
                    return "\(list.measure(before: position)) before \(position) is not \(sum)"
                }
                if list[position] != card {
                    return "\(list[position]) at \(position) is not \(card)"
                }
                let found = list.firstPosition(reaching: { $0.count > position })
                if found != position {
                    return "\(found) is found where more than \(position) are counted"
                }
            }
            sum += card.measure
        }
        if list.firstPosition(reaching: { $0.count > array.count }) != array.count {
            return "a place is found where more are counted than there are"
        }
        return list.measure == sum ? nil : "\(list.measure) in all is not \(sum)"
    }

    private static func lookUpViolation(_ list: PersistentList<Card>, _ array: [Card]) -> String? {
        let stride = 1 + array.count / 4
        for position in Swift.stride(from: 0, to: array.count, by: stride) {
            let card = array[position]
            let expected = array.indices.filter { array[$0].id == card.id }
            let found = list.positions(identicalTo: card)
            if found != expected {
                return "\(card) is found at \(found), not at \(expected)"
            }
            if list.firstPosition(identicalTo: card) != expected.first {
                return "\(card) is not found first at \(expected[0])"
            }
            let sole = list.soleMatch(hash: card.identityHash) { $0.id == card.id }
            if sole != .several, expected.count != 1 || sole != .one(expected[0]) {
                return "\(card) is found as \(sole), not at \(expected)"
            }
        }
        if list.firstPosition(identicalTo: Card(id: -2)) != nil {
            return "an element is found that is not there"
        }
        if case .one = list.soleMatch(hash: Card(id: -2).identityHash, where: { $0.id == -2 }) {
            return "an element is found alone that is not there"
        }
        return duplicateViolation(list, array)
    }

    private static func duplicateViolation(_ list: PersistentList<Card>, _ array: [Card]) -> String? {
        var occurrences: [Int: Int] = [:]
        for card in array {
            occurrences[card.identityHash, default: 0] += 1
        }
        let expected = array.indices.filter { occurrences[array[$0].identityHash, default: 0] > 1 }
        if list.positionsOfDuplicateHashes() != expected {
            return "\(list.positionsOfDuplicateHashes()) are said to have their hashes in common, not \(expected)"
        }
        return list.hasDuplicateHashes == expected.isEmpty ? "hasDuplicateHashes is wrong" : nil
    }
}

extension ListVersion {
    /// Carries out a step on both, as far as it concerns one list.
    mutating func take(_ step: ListStep) {
        switch step {
        case .insert(let card, let place):
            let position = place % (array.count + 1)
            list.insert(card, at: position)
            array.insert(card, at: position)
        case .append(let card):
            list.append(card)
            array.append(card)
        case .insertMany(let cards, let place):
            let position = place % (array.count + 1)
            list.insert(contentsOf: cards, at: position)
            array.insert(contentsOf: cards, at: position)
        case .appendMany(let cards):
            list.append(contentsOf: cards)
            array.append(contentsOf: cards)
        case .removeSome(let every, let from):
            removeSome(every, from)
        case .removeRange, .replaceRange, .keepHead, .keepTail, .keepPart, .exchangeParts:
            takeParts(step)
        default:
            if !array.isEmpty {
                takePlaces(step)
            }
        }
    }

    private mutating func takePlaces(_ step: ListStep) {
        let count = array.count
        switch step {
        case .replace(let place, let card):
            list.replace(at: place % count, with: card)
            array[place % count] = card
        case .update(let place, let content, let isThrowing):
            array[place % count].content = content
            try? list.update(at: place % count) { card throws(StepError) in
                card.content = content
                if isThrowing {
                    throw StepError()
                }
            }
        case .remove(let place):
            list.remove(at: place % count)
            array.remove(at: place % count)
        case .move(let source, let target):
            list.move(from: source % count, to: target % count)
            array.insert(array.remove(at: source % count), at: target % count)
        case .swap(let one, let other):
            list.swapAt(one % count, other % count)
            array.swapAt(one % count, other % count)
        default:
            break
        }
    }

    private mutating func takeParts(_ step: ListStep) {
        let places = array.count + 1
        switch step {
        case .removeRange(let one, let other):
            let range = min(one % places, other % places)..<max(one % places, other % places)
            list.removeSubrange(range)
            array.removeSubrange(range)
        case .replaceRange(let cards, let one, let other):
            let range = min(one % places, other % places)..<max(one % places, other % places)
            list.replaceSubrange(range, with: cards)
            array.replaceSubrange(range, with: cards)
        case .keepHead(let place):
            list = list.split(at: place % places).head
            array = Array(array[..<(place % places)])
        case .keepTail(let place):
            list = list.split(at: place % places).tail
            array = Array(array[(place % places)...])
        case .keepPart(let one, let other):
            let range = min(one % places, other % places)..<max(one % places, other % places)
            list = list.sublist(range)
            array = Array(array[range])
        case .exchangeParts(let place):
            let (head, tail) = list.split(at: place % places)
            list = tail
            list.append(contentsOf: head)
            array = Array(array[(place % places)...] + array[..<(place % places)])
        default:
            break
        }
    }

    private mutating func removeSome(_ every: Int, _ from: Int) {
        let places = Array(stride(from: from % (array.count + 1), to: array.count, by: every))
        list.remove(at: places.reversed() + places)
        for place in places.reversed() {
            array.remove(at: place)
        }
    }
}
