import TestSupport

@testable import ListDiffTesting

extension SeededGenerator {
    /// Two lists of up to six sections with up to eight elements, of alphabets so small that duplicates and elements
    /// that change sections are common; the second is sometimes made anew and sometimes by changing the first.
    mutating func pair() -> Pair {
        let sectionIDs = 1 + below(8)
        let elementIDs = 1 + below(16)
        let source = list(sectionIDs, elementIDs)
        if below(3) == 0 {
            return Pair(source: source, target: list(sectionIDs, elementIDs))
        }
        var target = source
        for _ in 0..<(1 + below(8)) {
            change(&target, sectionIDs, elementIDs)
        }
        return Pair(source: source, target: target)
    }

    /// Two lists in which every identifier occurs once at most, so that there is one right pairing.
    mutating func distinctPair() -> Pair {
        Pair(source: distinctList(), target: distinctList())
    }

    private mutating func distinctList() -> [Group] {
        var ids = Array(0..<30)
        ids.shuffle(using: &self)
        var groups: [Group] = []
        for id in Array(0..<6).shuffled(using: &self).prefix(below(7)) {
            let elements = ids.prefix(below(6)).map { Item(id: $0, content: below(2), detail: below(2)) }
            ids.removeFirst(elements.count)
            groups.append(Group(id, elements, content: below(2)))
        }
        return groups
    }

    private mutating func list(_ sectionIDs: Int, _ elementIDs: Int) -> [Group] {
        var result: [Group] = []
        for _ in 0..<below(7) {
            result.append(group(sectionIDs, elementIDs))
        }
        return result
    }

    private mutating func group(_ sectionIDs: Int, _ elementIDs: Int) -> Group {
        var elements: [Item] = []
        for _ in 0..<below(9) {
            elements.append(Item(id: below(elementIDs), content: below(2), detail: below(2)))
        }
        return Group(below(sectionIDs), elements, content: below(2))
    }

    private mutating func change(_ list: inout [Group], _ sectionIDs: Int, _ elementIDs: Int) {
        switch below(8) {
        case 0 where list.count < 6:
            list.insert(group(sectionIDs, elementIDs), at: below(list.count + 1))
        case 1 where !list.isEmpty:
            list.remove(at: below(list.count))
        case 2 where !list.isEmpty:
            let section = list.remove(at: below(list.count))
            list.insert(section, at: below(list.count + 1))
        case 3 where !list.isEmpty:
            list[below(list.count)].content = below(2)
        default:
            changeElements(&list, elementIDs)
        }
    }

    private mutating func changeElements(_ list: inout [Group], _ elementIDs: Int) {
        guard !list.isEmpty else {
            return
        }
        let section = below(list.count)
        let other = below(list.count)
        let count = list[section].elements.count
        switch below(5) {
        case 0 where count < 8:
            let item = Item(id: below(elementIDs), content: below(2), detail: below(2))
            list[section].elements.insert(item, at: below(count + 1))
        case 1 where count > 0:
            list[section].elements.remove(at: below(count))
        case 2 where count > 0 && (section == other || list[other].elements.count < 8):
            let element = list[section].elements.remove(at: below(count))
            list[other].elements.insert(element, at: below(list[other].elements.count + 1))
        case 3 where count > 0:
            list[section].elements[below(count)].content = below(2)
        case 4 where count > 0:
            list[section].elements[below(count)].detail = below(2)
        default:
            break
        }
    }
}
